import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aGrant, aMember, aMemberOf } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aTrigger, openCauses, PIPELINE, SCOPE, TEAM, toCalled } from '../sources/testing.ts'

/** The fields that a poster may set: an address to clone is as much as a change of the pipeline. */

const KEY = 'a key of more than sixteen characters'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { EVENT_SIGNING_SECRET: KEY })
after(() => causes.close())
const db = testDatabase.database.kysely
const operator = (await aMember(db, 'operator', 'operator', TEAM)).headers
const editor = (await aMember(db, 'editor', 'editor', TEAM)).headers

let made = 0
const anEvent = (more: Record<string, unknown> = {}) => ({
  kind: 'push',
  provider: 'github',
  repository: { full_name: `acme/posted-${made}`, clone_url: 'https://evil.example.com/x.git' },
  branch: 'main',
  after: 'c'.repeat(40),
  ...more,
})

async function post(body: unknown, headers: Record<string, string>, sign = false) {
  const payload = JSON.stringify(body)
  const signature = { 'x-service-signature': `sha256=${createHmac('sha256', KEY).update(payload).digest('hex')}` }
  const type = { 'content-type': 'application/json' }
  const all = { ...type, ...headers, ...(sign ? signature : {}) }
  return toCalled(await causes.http.app.inject({ method: 'POST', url: '/v1/git/events', payload, headers: all }))
}

describe('an event that says what to clone', () => {
  test('starts what a trigger says only for who may change the pipeline, or with a signature', async () => {
    made += 1
    const trigger = aTrigger({ name: `t${made}`, repositories: [`acme/posted-${made}`], branches: [] })
    assert.equal((await causes.call('POST', '/v1/triggers', trigger)).status, 201)
    const refused = await post(anEvent(), operator)
    assert.equal(refused.status, 403, refused.text)
    assert.equal((await post(anEvent(), editor)).body['status'], 'accepted')
    assert.equal((await post(anEvent({ after: 'd'.repeat(40) }), operator, true)).body['status'], 'accepted')
    assert.equal((await post(anEvent({ repository: { full_name: `acme/posted-${made}` } }), operator)).status, 200)
  })

  test('starts the pipeline that it names under the same rule', async () => {
    const named = { pipeline: PIPELINE, scope: SCOPE }
    assert.equal((await post(anEvent(named), operator)).status, 403)
    assert.ok((await post(anEvent(named), editor)).body['run_id'])
    assert.ok((await post(anEvent(named), operator, true)).body['run_id'])
    assert.ok((await post(anEvent({ ...named, repository: { full_name: 'acme/x' } }), operator)).body['run_id'])
  })
})

describe('an event that names its pipeline', () => {
  const named = { pipeline: PIPELINE, scope: SCOPE, repository: { full_name: 'acme/named' } }

  test('of a team that the caller may not see is answered as one that is not there', async () => {
    await anEnvironment(db, 'acme/other/staging')
    const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers
    const hidden = await post(anEvent(named), stranger)
    const absent = await post(anEvent({ ...named, pipeline: `${PIPELINE}x` }), stranger)
    assert.deepEqual([hidden.status, absent.status], [400, 400])
    assert.equal(String(hidden.body['detail']).replace(PIPELINE, `${PIPELINE}x`), absent.body['detail'])
  })

  test('does not start it for who may only use the scope', async () => {
    const seer = await aMemberOf(db, 'seer', { [TEAM]: 'viewer', 'acme/other': 'operator' })
    const refused = await post(anEvent({ ...named, scope: 'acme/other/staging' }), seer.headers)
    assert.deepEqual([refused.status, refused.body['code']], [403, 'event.not_permitted'], refused.text)
  })

  test('does not start it for who may start it and not use the scope', async () => {
    const refused = await post(anEvent({ ...named, scope: 'acme/other/staging' }), operator)
    assert.deepEqual([refused.status, refused.body['code']], [403, 'event.not_permitted'], refused.text)
  })
})

test('a trigger starts nothing for a poster who may start its pipeline or use its scope, and not both', async () => {
  const there = { repositories: ['acme/halves'], scope: 'acme/other/staging', branches: [] }
  const written = await causes.call('POST', '/v1/triggers', aTrigger({ name: 'halves', ...there }))
  assert.equal(written.status, 201, written.text)
  const user = await aMemberOf(db, 'scoped', { [TEAM]: 'viewer', 'acme/other': 'operator' })
  const event = anEvent({ repository: { full_name: 'acme/halves' } })
  for (const headers of [operator, user.headers]) {
    const refused = await post(event, headers)
    assert.deepEqual([refused.status, refused.body['code']], [403, 'event.not_permitted'], refused.text)
  }
  await aGrant(db, `user:${user.id}`, 'operator', TEAM)
  await until(
    'the right',
    () => post(event, user.headers),
    ({ status }) => status === 200,
  )
})

test('a trigger starts nothing once its owner may only see the pipeline, not start it', async () => {
  await aPipeline(db, 'acme/other/build')
  const owner = await aMemberOf(db, 'demoted', { [TEAM]: 'editor', 'acme/other': 'operator' })
  const trigger = aTrigger({
    name: 'demoted',
    repositories: ['acme/demoted'],
    scope: 'acme/other/staging',
    branches: [],
  })
  const written = await causes.call('POST', '/v1/triggers', trigger, { headers: owner.headers })
  assert.equal(written.status, 201, written.text)
  const event = (digit: string) => anEvent({ repository: { full_name: 'acme/demoted' }, after: digit.repeat(40) })
  assert.equal((await post(event('a'), causes.admin)).body['status'], 'accepted')
  await db
    .updateTable('grants')
    .set({ role: 'viewer' })
    .where('team_path', '=', TEAM)
    .where('user_id', '=', owner.id)
    .execute()
  const refused = await until(
    'the end of the right',
    () => post(event('b'), causes.admin),
    ({ status }) => status === 403,
  )
  assert.match(refused.text, /demoted lacks the permission run\.start/)
})

test('a trigger starts nothing once its owner may start the pipeline, and not use the scope any more', async () => {
  const owner = await aMemberOf(db, 'unscoped', { [TEAM]: 'editor', 'acme/other': 'operator' })
  const there = { repositories: ['acme/unscoped'], scope: 'acme/other/staging', branches: [] }
  const body = aTrigger({ name: 'unscoped', ...there })
  const written = await causes.call('POST', '/v1/triggers', body, { headers: owner.headers })
  assert.equal(written.status, 201, written.text)
  const event = (digit: string) => anEvent({ repository: { full_name: 'acme/unscoped' }, after: digit.repeat(40) })
  assert.equal((await post(event('a'), causes.admin)).body['status'], 'accepted')
  await db.deleteFrom('grants').where('team_path', '=', 'acme/other').where('user_id', '=', owner.id).execute()
  const refused = await until(
    'the end of the right',
    () => post(event('b'), causes.admin),
    ({ status }) => status === 403,
  )
  assert.match(refused.text, /unscoped may not use the scope acme\/other\/staging/)
})

describe('a pull request from a fork', () => {
  const end = { ref: 'main', sha: null, repository: 'acme/x' }
  const pull = { number: 7, title: 'x', draft: false, labels: [], merged: null, author: null, web_url: null }
  const ofFork = (commit: string | null) =>
    anEvent({
      kind: 'pull_request',
      after: commit,
      pull_request: { ...pull, head: end, base: end, from_fork: true },
      pipeline: PIPELINE,
      scope: SCOPE,
    })

  test('names its commit: an approval of none would be one of whatever comes later', async () => {
    const { status, body } = await post(ofFork(null), editor)
    assert.equal(status, 400)
    assert.match(JSON.stringify(body['errors']), /"field":"after"/)
  })

  test('is run as untrusted, and only after an approval', async () => {
    const { body, text } = await post(ofFork('f'.repeat(40)), editor)
    const run = db.selectFrom('runs').select(['untrusted', 'withheld']).where('id', '=', String(body['run_id']))
    assert.deepEqual(await run.executeTakeFirst(), { untrusted: true, withheld: 'fork_approval' }, text)
  })
})
