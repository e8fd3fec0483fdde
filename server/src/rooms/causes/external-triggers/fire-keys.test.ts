import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestClock, createTestDatabase, startOutage, until } from '#platform/testing'
import { aMember } from '../../foundation/access/testing.ts'
import { openExternalTriggers, PATH, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const clock = createTestClock()
const house = await openExternalTriggers(testDatabase, { clock })
after(() => house.close())
const db = testDatabase.database.kysely

const runsOf = async (id: string) =>
  (await db.selectFrom('runs').select('id').where('external_trigger_id', '=', id).execute()).map((run) => run.id)
const keyed = (key: string, headers: Record<string, string> = {}) => ({
  headers: { 'idempotency-key': key, ...headers },
})

describe('an Idempotency-Key', () => {
  test('makes a repeated fire one run, by whichever address it comes', async () => {
    const made = await house.create()
    const first = await house.fire(made, { variables: { VERSION: '1' } }, keyed('a'))
    const again = await house.fire(made, { variables: { VERSION: '1' } }, keyed('a'))
    const url = `${PATH}/${made.id}/fire/${made.secret}`
    const byUrl = await house.call('POST', url, { variables: { VERSION: '1' } }, keyed('a', { authorization: '' }))
    assert.deepEqual([first.status, again.status, byUrl.status], [202, 202, 202], byUrl.text)
    assert.deepEqual([again.body, byUrl.body], [first.body, first.body])
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.deepEqual(await runsOf(made.id), [first.body['run_id']])
  })

  test('with another body is refused (409); of another trigger it is another key', async () => {
    const [made, other] = [await house.create(), await house.create()]
    assert.equal((await house.fire(made, {}, keyed('b'))).status, 202)
    const reused = await house.fire(made, { variables: { VERSION: '2' } }, keyed('b'))
    assert.deepEqual([reused.status, reused.body['code']], [409, 'idempotency_key_reused'])
    assert.equal((await house.fire(other, { variables: { VERSION: '2' } }, keyed('b'))).status, 202)
  })

  test('of a caller with a token is that caller’s own', async () => {
    const made = await house.create()
    const { headers } = await aMember(db, 'op', 'operator', TEAM)
    assert.equal((await house.fire(made, {}, keyed('c'))).status, 202)
    const path = `${PATH}/${made.id}/fire`
    const own = await house.call('POST', path, {}, keyed('c', headers))
    const again = await house.call('POST', path, {}, keyed('c', headers))
    assert.deepEqual([own.status, again.body], [202, own.body])
    assert.equal((await runsOf(made.id)).length, 2)
  })

  test('of ten at once starts one run, and all hear of it', async () => {
    const made = await house.create()
    const answers = await Promise.all(Array.from({ length: 10 }, () => house.fire(made, {}, keyed('d'))))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
    assert.equal(new Set(answers.map(({ body }) => body['run_id'])).size, 1)
    assert.equal((await runsOf(made.id)).length, 1)
  })

  test('of a fire that started nothing is free again', async () => {
    const made = await house.create()
    assert.equal((await house.fire(made, { variables: { NOPE: '' } }, keyed('e'))).status, 400)
    assert.equal((await house.fire(made, {}, keyed('e'))).status, 202)
  })

  test('is repeated after the pipeline went, and not after 24 hours, nor by a wrong secret, nor while disabled', async () => {
    const made = await house.create()
    const first = await house.fire(made, { variables: { VERSION: '1' } }, keyed('f'))
    assert.equal((await house.call('PATCH', `${PATH}/${made.id}`, { allowed_variables: [] })).status, 200)
    const repeated = await house.fire(made, { variables: { VERSION: '1' } }, keyed('f'))
    assert.deepEqual([repeated.status, repeated.body], [202, first.body], 'the first was done')
    assert.equal((await house.call('PATCH', `${PATH}/${made.id}`, { enabled: false })).status, 200)
    assert.equal((await house.fire(made, { variables: { VERSION: '1' } }, keyed('f'))).status, 401)
    const enabled = { enabled: true, allowed_variables: ['VERSION'] }
    assert.equal((await house.call('PATCH', `${PATH}/${made.id}`, enabled)).status, 200)
    await clock.advance(24 * 3_600_000 + 1)
    const later = await house.fire(made, { variables: { VERSION: '1' } }, keyed('f'))
    assert.equal(later.status, 202, later.text)
    assert.notEqual(later.body['run_id'], first.body['run_id'])
  })

  test('has 1 to 255 visible characters (400)', async () => {
    const made = await house.create()
    const { status, body } = await house.fire(made, {}, keyed('x'.repeat(256)))
    assert.deepEqual([status, body['code']], [400, 'invalid_request'])
    assert.deepEqual(await runsOf(made.id), [])
  })
})

describe('writers meanwhile', () => {
  test('a fire that waits for a rotation is judged anew: the old secret starts nothing', async () => {
    const made = await house.create()
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const writer = db.transaction().execute(async (tx) => {
      await tx
        .updateTable('external_triggers')
        .set({ secret_sha256: Buffer.alloc(32, 1), updated_at: new Date(clock.now().getTime() + 5) })
        .where('id', '=', made.id)
        .execute()
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const fired = house.fire(made, {}, keyed('g'))
    await until(
      'the fire to wait for the writer',
      () =>
        db
          .selectFrom('pg_stat_activity' as never)
          .select('wait_event_type' as never)
          .execute(),
      (rows: readonly { wait_event_type?: unknown }[]) => rows.some((row) => row.wait_event_type === 'Lock'),
    )
    held.resolve()
    await writer
    assert.equal((await fired).status, 401)
    assert.deepEqual(await runsOf(made.id), [])
    assert.equal((await db.selectFrom('idempotency_keys').select('key').where('key', '=', 'g').execute()).length, 0)
  })
})

test('503: while the database is away nothing is started, and the same key starts one run afterwards', async () => {
  const made = await house.create()
  const outage = await startOutage(testDatabase.url)
  const refused = await house.fire(made, {}, keyed('h'))
  await outage.end()
  assert.equal(refused.status, 503, refused.text)
  assert.ok(refused.headers['retry-after'])
  const done = await until(
    'a run',
    () => house.fire(made, {}, keyed('h')),
    ({ status }) => status === 202,
  )
  assert.deepEqual(await runsOf(made.id), [done.body['run_id']])
})
