import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { FailPoint } from '#platform/fail-points'
import { createTestClock } from '#platform/testing'
import { callbackPath } from './rules/callback.ts'
import { anInstallation, openGitApps } from './testing.ts'

// A registration that ends at each of its borders, and a provider that answers with malice.

const clock = createTestClock(new Date())
let armed: FailPoint | undefined
const failPoints = {
  hit(point: FailPoint) {
    if (point === armed) throw new Error(`the process ends at ${point}`)
  },
}
const room = await openGitApps({ clock, failPoints })
const { db, github, send, start, back } = room
const CALLBACK = callbackPath('forge', 'register')

beforeEach(async () => {
  armed = undefined
  github.interfere = () => undefined
  github.calls.length = 0
  await db.deleteFrom('git_apps').execute()
  await db.deleteFrom('webhook_sources').execute()
})

for (const [point, calls, apps] of [
  ['git_apps.before_exchange', 0, 0],
  ['git_apps.after_exchange', 1, 0],
  ['git_apps.before_commit', 1, 0],
  ['git_apps.after_commit', 1, 1],
] as const) {
  test(`an end at ${point} leaves all of the app or nothing, and a state that is spent`, async () => {
    const { state } = (await start({ team_path: 'acme' })).body
    github.codes.add('one').add('two')
    armed = point
    const { place } = await back(CALLBACK, { code: 'one', state })
    assert.equal(place, '#/system/git-apps?error=unavailable')
    const conversions = () => github.calls.filter((call) => call.includes('/conversions')).length
    assert.equal(conversions(), calls)
    const count = async (table: 'git_apps' | 'git_app_keys' | 'webhook_sources') =>
      (await db.selectFrom(table).selectAll().execute()).length
    assert.deepEqual(
      [await count('git_apps'), await count('git_app_keys'), await count('webhook_sources')],
      [apps, apps * 2, apps],
    )
    armed = undefined
    assert.match((await back(CALLBACK, { code: 'two', state })).place, /error=state_mismatch/)
    assert.equal(conversions(), calls, 'nobody is asked again')
    if (apps === 0) await room.register()
    assert.equal(await count('git_apps'), 1)
  })
}

test('a provider that answers with malice is bounded and named, and changes nothing', async () => {
  github.installations.set('42', anInstallation('acme', ['web']))
  await room.register()
  await send('POST', '/installations', { installation_id: '42' })
  assert.equal((await send('POST', '/installations/42/refresh')).status, 200)
  const before = (await send('GET', '/installations/42')).body
  const endless = { link: `<${github.url}/api/v3/installation/repositories?per_page=100&page=1>; rel="next"` }
  for (const [what, answer] of [
    ['a redirect inside', { status: 302, headers: { location: 'http://169.254.169.254/latest' } }],
    ['a huge body', { status: 200, body: 'x'.repeat(9 * 1024 * 1024) }],
    ['no list', { status: 200, body: { repositories: 'none' } }],
    ['a null', { status: 200, body: null }],
    ['endless pages', { status: 200, headers: endless, body: { total_count: 1, repositories: [] } }],
  ] as const) {
    github.interfere = (call) => (call.endsWith('/installation/repositories') ? answer : undefined)
    const { status, body } = await send('POST', '/installations/42/refresh')
    assert.deepEqual([what, status, body.code], [what, 502, 'git_app.provider_failed'])
    assert.doesNotMatch(body.detail, /169\.254|ghs_/)
  }
  github.interfere = () => undefined
  assert.equal((await send('POST', '/installations/42/refresh')).status, 200)
  const after = (await send('GET', '/installations/42')).body
  assert.deepEqual([after.status, after.repository_count], [before.status, before.repository_count])
})
