import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestClock, createTestDatabase, until } from '#platform/testing'
import type { CheckoutFinder } from '#rooms/execution/runs'
import { aDocument, aPipeline } from '../../catalog/pipelines/testing.ts'
import { NOTHING_ABOVE } from '../../execution/runs/testing.ts'
import { aGrant, aMember, aMemberOf } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aSchedule, fieldsOf, openSchedules, SCOPE, TEAM } from './testing.ts'

const PATH = '/v1/schedules'
const CHECKOUT = {
  cloneUrl: 'https://git.example/acme/shop.git',
  commitSha: 'a'.repeat(40),
  checkoutCredentialRef: null,
}
const testDatabase = await createTestDatabase()
const clock = createTestClock(new Date('2026-11-23T09:00:00.000Z'))
const asked: unknown[] = []
let whileAsked: () => Promise<unknown> = async () => undefined
const findCheckout: CheckoutFinder = async (caller, wish) => {
  asked.push([caller.name, wish])
  await whileAsked()
  return wish.repository === 'acme/shop' ? CHECKOUT : { field: 'repository', problem: 'No source reaches it.' }
}
const house = await openSchedules(testDatabase, { clock, above: { ...NOTHING_ABOVE, findCheckout } })
after(() => house.close())
const db = testDatabase.database.kysely
await aPipeline(db, 'acme/web/lettered', aDocument('lettered', 'variables: { MY_LETTER: none }\n'))
await anEnvironment(db, 'acme/other/staging')
await aPipeline(db, 'acme/other/build')
const editor = await aMember(db, 'editor', 'editor', TEAM)
const operator = await aMember(db, 'operator', 'operator', TEAM)
const viewer = await aMember(db, 'viewer', 'viewer', TEAM)
const stranger = await aMember(db, 'stranger', 'owner', 'acme/other')

let count = 0
async function create(overrides: Record<string, unknown> = {}) {
  count += 1
  const called = await house.call('POST', PATH, aSchedule({ name: `s${count}`, ...overrides }))
  assert.equal(called.status, 201, called.text)
  return { body: called.body, url: `${PATH}/${called.body['id']}` }
}

async function runsOf(id: unknown) {
  return db.selectFrom('runs').selectAll().where('schedule_id', '=', String(id)).orderBy('id').execute()
}

test('answers 202 with the run, which is as one that fired, on behalf of the caller; the next instant stays', async () => {
  const { url, body } = await create({
    pipeline: 'acme/web/lettered',
    variables: { MY_LETTER: 'x' },
    run_team_path: 'acme/other',
  })
  const signals = house.queuedSignals()
  const called = await house.call('POST', `${url}/run`, undefined, { headers: operator.headers })
  assert.equal(called.status, 202, called.text)
  const runId = called.body['run_id']
  assert.deepEqual(called.body, { run_id: runId, status: 'queued' })
  assert.equal(called.headers['location'], `/v1/runs/${runId}`)
  assert.equal(house.queuedSignals(), signals + 1)
  const [run, ...others] = await runsOf(body['id'])
  assert.deepEqual(others, [])
  assert.deepEqual(
    [run?.id, run?.cause, run?.initiator_id, run?.scope, run?.variables, run?.run_team_path, run?.status],
    [runId, 'schedule', operator.id, SCOPE, { MY_LETTER: 'x' }, 'acme/other', 'queued'],
  )
  assert.deepEqual(run?.scheduled_at, clock.now())
  const { body: detail } = await house.call('GET', url)
  for (const field of ['next_fire_at', 'last_fire_at', 'last_outcome', 'last_run_id', 'owner', 'updated_at']) {
    assert.deepEqual(detail[field], body[field], field)
  }
  const at = clock.now().toISOString()
  const fires = Object.values((await house.call('GET', `${url}/fires`)).body)
  assert.equal(fires.length, 1)
  const { id: _id, ...fire } = Object(fires[0])
  assert.deepEqual(fire, {
    kind: 'requested',
    planned_at: at,
    nominal_at: at,
    fired_at: at,
    outcome: 'started',
    run_id: runId,
    reason: null,
    missed_count: 1,
    missed_until: null,
    backfill_id: null,
  })
  const [record] = Object.values((await house.call('GET', `/v1/audit?resource=schedule:${body['id']}`)).body)
  assert.equal(Object(record).action, 'schedule.run')
  assert.deepEqual(Object(record).after, { run_id: runId, pipeline: 'acme/web/lettered', version: 1, scope: SCOPE })
})

test('a disabled one may be run, by its identifier, and twice in a millisecond', async () => {
  const { body } = await create({ enabled: false })
  const url = `${PATH}/${encodeURIComponent(String(body['identifier']))}/run`
  for (const _ of [1, 2]) assert.equal((await house.call('POST', url)).status, 202)
  assert.equal((await runsOf(body['id'])).length, 2)
})

test('the overlap policy is not applied: nothing is skipped or canceled, and nothing waits', async () => {
  for (const overlap_policy of ['skip', 'cancel_running', 'queue_one']) {
    const { url, body } = await create({ overlap_policy })
    for (const _ of [1, 2, 3]) assert.equal((await house.call('POST', `${url}/run`)).status, 202)
    const runs = await runsOf(body['id'])
    const seen = runs.map((run) => [run.status, run.cancel_requested_at, run.withheld])
    assert.deepEqual(
      seen,
      [1, 2, 3].map(() => ['queued', null, null]),
      overlap_policy,
    )
  }
})

test('with an Idempotency-Key there is one run, and no answer once the caller lost the right', async () => {
  const { url, body } = await create()
  const guest = await aMember(db, 'guest', 'operator', TEAM)
  const headers = { ...guest.headers, 'idempotency-key': randomUUID() }
  const send = () => house.call('POST', `${url}/run`, undefined, { headers })
  const first = await send()
  const again = await send()
  assert.deepEqual([again.status, again.body], [202, first.body])
  assert.equal((await runsOf(body['id'])).length, 1)
  assert.equal((await house.call('POST', `${url}/run`, undefined, { headers: guest.headers })).status, 202)
  assert.equal((await runsOf(body['id'])).length, 2)
  await db.updateTable('grants').set({ role: 'viewer' }).where('user_id', '=', guest.id).execute()
  const refused = await until('the lost right to count', send, ({ status }) => status !== 202)
  assert.deepEqual([refused.status, refused.body['code'], refused.body['run_id']], [403, 'forbidden', undefined])
})

test('needs the right to start it as the caller, whoever owns the schedule', async () => {
  const { url, body } = await create({ pipeline: 'acme/other/build', scope: 'acme/other/staging' })
  const as = (headers: Record<string, string>) => house.call('POST', `${url}/run`, undefined, { headers })
  assert.equal((await as({ authorization: '' })).status, 401)
  assert.equal((await as(viewer.headers)).status, 403)
  assert.equal((await as(stranger.headers)).status, 404, 'owner of the pipeline, but sees no schedule')
  const hidden = await as(operator.headers)
  assert.deepEqual([hidden.status, fieldsOf(hidden.body)], [400, ['pipeline']])
  await aGrant(db, `user:${editor.id}`, 'viewer', 'acme/other')
  const seer = await aMemberOf(db, 'seer', { [TEAM]: 'operator', 'acme/other': 'viewer' })
  assert.equal((await as(seer.headers)).status, 403)
  const full = await aMemberOf(db, 'full', { [TEAM]: 'operator', 'acme/other': 'operator' })
  const { status, text } = await as(full.headers)
  assert.equal(status, 202, text)
  assert.equal((await runsOf(body['id'])).length, 1)
})

test('one that cannot produce a run is 400 and named, and leaves no trace', async () => {
  await aPipeline(db, 'acme/web/gone')
  const { url, body } = await create({ pipeline: 'acme/web/gone' })
  await db.deleteFrom('pipelines').where('name', '=', 'gone').execute()
  const gone = await house.call('POST', `${url}/run`)
  assert.deepEqual([gone.status, fieldsOf(gone.body)], [400, ['pipeline']], gone.text)
  const lettered = await create({ pipeline: 'acme/web/lettered', variables: { MY_LETTER: 'x' } })
  await db
    .updateTable('schedules')
    .set({ variables: { OTHER: 'x' } })
    .where('id', '=', String(lettered.body['id']))
    .execute()
  const undeclared = await house.call('POST', `${lettered.url}/run`)
  assert.deepEqual([undeclared.status, fieldsOf(undeclared.body)], [400, ['variables.OTHER']])
  await anEnvironment(db, 'acme/web/brief')
  const scoped = await create({ scope: 'acme/web/brief' })
  await db.deleteFrom('environments').where('name', '=', 'brief').execute()
  let answer = await house.call('POST', `${scoped.url}/run`)
  for (let tries = 0; tries < 100 && answer.status === 202; tries += 1)
    answer = await house.call('POST', `${scoped.url}/run`)
  assert.deepEqual([answer.status, fieldsOf(answer.body)], [400, ['scope']])
  assert.deepEqual((await house.call('GET', `${url}/fires`)).body, [])
  assert.deepEqual(await runsOf(body['id']), [])
  assert.equal((await house.call('POST', `${PATH}/none/run`)).status, 400)
})

test('a repository is looked up as the caller, who must be able to write the pipeline', async () => {
  const { url, body } = await create({ repository: 'acme/shop', ref: 'main' })
  const refused = await house.call('POST', `${url}/run`, undefined, { headers: operator.headers })
  assert.equal(refused.status, 403, refused.text)
  assert.deepEqual(asked, [])
  assert.equal((await house.call('POST', `${url}/run`, undefined, { headers: editor.headers })).status, 202)
  assert.deepEqual(asked.splice(0), [['editor', { repository: 'acme/shop', ref: 'refs/heads/main', teamPath: TEAM }]])
  const [run] = await runsOf(body['id'])
  assert.deepEqual(
    [run?.repository, run?.ref, run?.branch, run?.commit_sha, run?.clone_url],
    ['acme/shop', 'refs/heads/main', 'main', CHECKOUT.commitSha, CHECKOUT.cloneUrl],
  )
  const other = await create({ repository: 'acme/none', ref: 'refs/tags/v1' })
  const unknown = await house.call('POST', `${other.url}/run`)
  assert.deepEqual([unknown.status, fieldsOf(unknown.body)], [400, ['repository']])
  assert.equal(unknown.body['code'], 'schedule.invalid')
  assert.deepEqual(await runsOf(other.body['id']), [])
})

test('a token with limits writes what it finds itself, and not what changed while it was looked for', async () => {
  asked.splice(0)
  const limits = { name: 'narrow', team_path: TEAM }
  const { body: made, text } = await house.call('POST', '/v1/tokens', limits, { headers: editor.headers })
  const headers = { authorization: `Bearer ${made['token']}` }
  const wanted = aSchedule({ name: 'narrow', repository: 'acme/shop', ref: 'main' })
  const { status, body } = await house.call('POST', PATH, wanted, { headers })
  assert.equal(status, 201, text)
  const url = `${PATH}/${body['id']}`
  const range = { from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' }
  const backfill = await house.call('POST', `${url}/backfill`, range, { headers })
  assert.equal(backfill.status, 202, backfill.text)
  assert.equal(asked.length, 2)
  whileAsked = () => {
    whileAsked = async () => undefined
    return house.call('PATCH', url, { repository: 'acme/none' })
  }
  const late = await house.call('PATCH', url, { timezone: 'Europe/Berlin' }, { headers })
  assert.deepEqual([late.status, late.body['code']], [409, 'version_conflict'], late.text)
  asked.splice(0)
})

test('one that is deleted while its repository is asked is 404, and starts nothing', async () => {
  const { url, body } = await create({ repository: 'acme/shop', ref: 'main' })
  whileAsked = () => house.call('DELETE', url)
  const { status, text } = await house.call('POST', `${url}/run`)
  whileAsked = async () => undefined
  assert.equal(status, 404, text)
  assert.deepEqual(await runsOf(body['id']), [])
})
