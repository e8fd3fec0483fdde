import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { createSealer, type Sealer } from '#platform/crypto'
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
/** The configured keys; a test rotates them. */
const keys = new Map([[1, randomBytes(32)]])
let sealing = createSealer(keys)
const sealer: Sealer = {
  get keyVersion() {
    return sealing.keyVersion
  },
  seal: (plaintext, context) => sealing.seal(plaintext, context),
  open: (sealed, context) => sealing.open(sealed, context),
  mark: (text, context) => sealing.mark(text, context),
}
const room = await openGitApps({ clock, failPoints, sealer })
const { db, github, send, start, back } = room
const CALLBACK = callbackPath('forge', 'register')

beforeEach(async () => {
  armed = undefined
  github.interfere = () => undefined
  github.calls.length = 0
  await db.deleteFrom('git_apps').execute()
  await db.deleteFrom('webhook_sources').execute()
  await clock.advance(60_000)
})

const count = async (table: 'git_apps' | 'git_app_keys' | 'webhook_sources') =>
  (await db.selectFrom(table).selectAll().execute()).length
const counts = async () => [await count('git_apps'), await count('git_app_keys'), await count('webhook_sources')]
const conversions = () => github.calls.filter((call) => call.includes('/conversions')).length
const registration = async () => (await send('GET', '/registration')).body
const FINISH = 'git_apps.finish-registration'

/** A registration whose process ends at the point; answers its state. */
async function endAt(point: FailPoint): Promise<string> {
  const { state } = (await start({ team_path: 'acme' })).body
  github.codes.add('one').add('two')
  armed = point
  const { place } = await back(CALLBACK, { code: 'one', state })
  assert.equal(place, '#/system/git-apps?error=unavailable')
  armed = undefined
  return state
}

for (const { point, calls, made, told, finished } of [
  { point: 'git_apps.before_exchange', calls: 0, made: 0, told: 'asking', finished: 0 },
  { point: 'git_apps.after_exchange', calls: 1, made: 0, told: 'asking', finished: 0 },
  { point: 'git_apps.after_answer', calls: 1, made: 0, told: 'finishing', finished: 1 },
  { point: 'git_apps.before_commit', calls: 1, made: 0, told: 'finishing', finished: 1 },
  { point: 'git_apps.after_commit', calls: 1, made: 1, told: 'registered', finished: 1 },
] as const) {
  test(`an end at ${point} leaves all of the app or nothing, and what the provider gave is finished once`, async () => {
    const state = await endAt(point)
    assert.equal(conversions(), calls)
    assert.deepEqual(await counts(), [made, made * 2, made])
    assert.equal((await registration()).status, told)
    assert.match((await back(CALLBACK, { code: 'two', state })).place, /error=state_mismatch/)
    assert.equal(conversions(), calls, 'nobody is asked again')
    await room.work(FINISH)
    assert.deepEqual(await counts(), [finished, finished * 2, finished])
    await clock.advance(60_000)
    const { status, error } = await registration()
    assert.deepEqual([status, error], finished === 1 ? ['registered', null] : ['failed', 'interrupted'])
    const kept = await db.selectFrom('git_app_flows').select('exchanged').where('exchanged', 'is not', null).execute()
    assert.equal(kept.length, 0, 'the key is in one place')
    if (finished === 0) await room.register()
    assert.equal(await count('git_apps'), 1)
  })
}

test('the answer is sealed while it waits, and two that finish it at once make one app', async () => {
  const key = 'PRIVATE KEY'
  const registered = async () =>
    (await db.selectFrom('audit_records').select('id').where('action', '=', 'git_app.registered').execute()).length
  const before = await registered()
  await endAt('git_apps.after_answer')
  const [flow] = await db.selectFrom('git_app_flows').selectAll().where('exchanged', 'is not', null).execute()
  assert.ok(flow?.exchanged)
  assert.equal(flow.exchanged.includes(key), false)
  const told = await send('GET', '/registration')
  assert.equal(told.text.includes(flow.exchanged.toString('hex').slice(0, 40)) || told.text.includes(key), false)
  const job = room.parts.jobs?.find(({ name }) => name === FINISH)
  const payload = { state: flow.state_sha256.toString('hex') }
  const run = () => job?.run(payload, new AbortController().signal)
  await Promise.all([run(), run()])
  await run()
  assert.deepEqual(await counts(), [1, 2, 1])
  assert.equal(await registered(), before + 1, 'one audit record')
  await room.work(FINISH)
})

test('what cannot be finished says why, and its key goes', async () => {
  const outcomes: unknown[] = []
  const end = async (spoil: () => Promise<unknown>) => {
    await clock.advance(60_000)
    await endAt('git_apps.after_answer')
    await spoil()
    await room.work(FINISH)
    const { status, error } = await registration()
    outcomes.push([status, error])
    const kept = await db.selectFrom('git_app_flows').select('exchanged').where('exchanged', 'is not', null).execute()
    assert.equal(kept.length, 0)
  }
  const waiting = () => db.updateTable('git_app_flows').where('exchanged', 'is not', null)
  await end(() => waiting().set({ starter_id: room.viewer.id }).execute())
  await end(() => send('PUT', '', { app_id: '8', private_key: github.keys[0], base_url: github.url }))
  assert.deepEqual(outcomes, [
    ['failed', 'denied'],
    ['failed', 'already_registered'],
  ])
  assert.equal((await send('GET', '')).body.app_id, '8', 'the app that came meanwhile stays')
})

const reseal = () =>
  room.parts.jobs?.find(({ name }) => name === 'git_apps.reseal-keys')?.run({}, new AbortController().signal)
const answers = () =>
  db
    .selectFrom('git_app_flows')
    .select(['exchanged', 'exchanged_key_version'])
    .where('exchanged', 'is not', null)
    .execute()

for (const noted of [true, false]) {
  test(`a registration that waits is finished after a rotation, ${noted ? '' : 'also of an older server, '}without the old key`, async () => {
    await endAt('git_apps.after_answer')
    const old = sealer.keyVersion
    const [before] = await answers()
    assert.equal(before?.exchanged_key_version, old)
    if (!noted) await db.updateTable('git_app_flows').set({ exchanged_key_version: null }).execute()
    sealing = createSealer(keys.set(old + 1, randomBytes(32)))
    await Promise.all([reseal(), reseal()])
    const [after, ...others] = await answers()
    assert.deepEqual([after?.exchanged_key_version, others], [old + 1, []])
    assert.notDeepEqual(after?.exchanged, before?.exchanged)
    keys.delete(old)
    sealing = createSealer(keys)
    await reseal()
    assert.deepEqual(await answers(), [after], 'a second time changes nothing')
    await room.work(FINISH)
    assert.equal((await registration()).status, 'registered')
    assert.deepEqual(await counts(), [1, 2, 1])
    assert.deepEqual(await answers(), [])
  })
}

test('an answer that does not open stays for a process that knows its key, until a day is over', async () => {
  await endAt('git_apps.after_answer')
  const waiting = db.updateTable('git_app_flows').where('exchanged', 'is not', null)
  await waiting.set({ exchanged: Buffer.from('sealed by a later key'), exchanged_key_version: 0 }).execute()
  await reseal()
  await assert.rejects(room.work(FINISH), { code: 'crypto.seal_broken' })
  assert.equal((await registration()).status, 'finishing')
  assert.equal(await count('git_apps'), 0)
  await clock.advance(25 * 3_600_000)
  await room.parts.jobs?.find(({ name }) => name === 'git_apps.drop-old-flows')?.run({}, new AbortController().signal)
  assert.equal((await registration()).status, 'none')
})

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
