import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import { createTestDatabase, createTestKit, until } from '#platform/testing'
import { GREET_MS } from './rpc/gateway.ts'
import {
  aRunnablePipeline,
  type ExecutionHouse,
  FakeRunner,
  openExecution,
  sendAway,
  startRun,
} from './testing/index.ts'

/** The runner of these tests says nothing by itself. */
const LONG = { LEASE_SECONDS: '60', HEARTBEAT_SECONDS: '20' }
const ONE = 'steps: [{ name: one, tasks: [{ name: a, run: "true" }] }]\n'

let house: ExecutionHouse
let runner: FakeRunner

// Registered before the database's own: hooks run in that order.
after(async () => await house.stop())

const { database } = await createTestDatabase()
const db = database.kysely
const { clock } = createTestKit(database)

/** Whether the patience with a greeting is short: only where none can come. */
let impatient = false

before(async () => {
  const hurried = {
    ...clock,
    after: (ms: number, work: () => void) => clock.after(ms === GREET_MS && impatient ? 100 : ms, work),
  }
  house = await openExecution(database, { env: LONG, kit: { clock: hurried } })
})
afterEach(() => sendAway(house, runner))

/** Holds a lock of the database as long as `work` takes. */
async function whileLocked(lock: (tx: Tx) => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  await database.transaction(async (tx) => {
    // However long: a machine may be slow.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await lock(tx)
    await work()
  })
}
const seenAt = async () =>
  (await db.selectFrom('runners').select('last_seen_at').where('id', '=', runner.id).executeTakeFirstOrThrow())
    .last_seen_at

test('a heartbeat behind Draining is answered after the last assignment, whatever keeps that', async () => {
  runner = await FakeRunner.enrolled(house, { name: 'leaving', capacity: 1 })
  await runner.connect(house)
  const pipeline = await aRunnablePipeline(house, 'last', ONE)
  const earlier = await seenAt()
  await whileLocked(
    (tx) => sql`lock table run_tasks in share mode`.execute(tx),
    async () => {
      await startRun(house, pipeline)
      await until(
        'the round to wait',
        () =>
          // Databases that are cloned from one template give one number to their tables.
          sql`select from pg_locks where not granted and relation = 'run_tasks'::regclass
            and database = (select oid from pg_database where datname = current_database())`.execute(db),
        ({ rows }) => rows.length > 0,
      )
      runner.send({ case: 'draining', value: {} })
      runner.beat([], 7n)
      await until('the heartbeat to be stored', seenAt, (at) => at?.getTime() !== earlier?.getTime())
    },
  )
  await until(
    'the answer',
    () => runner.heartbeatAcks,
    (acks) => acks.some(({ sequence }) => sequence === 7n),
  )
  assert.equal(runner.assigns.length, 1, 'what was given before came before')
})

test('a runner that connects while the list of runners is on its way is not taken for removed', async (t) => {
  const first = await FakeRunner.enrolled(house, { name: 'first' })
  await first.connect(house)
  const list = house.runners.list
  const asked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  t.mock.method(house.runners, 'list', async (...given: Parameters<typeof list>) => {
    const listed = await list(...given)
    asked.resolve()
    await release.promise
    return listed
  })
  await sql`select pg_notify('runners_changed', '')`.execute(db)
  await asked.promise
  runner = await FakeRunner.enrolled(house, { name: 'second' })
  await runner.connect(house)
  release.resolve()
  first.beat([], 1n)
  await until(
    'the list to be looked at',
    () => first.heartbeatAcks,
    (acks) => acks.length > 0,
  )
  runner.beat([], 1n)
  await until(
    'an answer',
    () => runner.ended !== undefined || runner.heartbeatAcks.length > 0,
    (answered) => answered,
  )
  first.leave()
  assert.equal(runner.ended, undefined)
})

test('a runner that comes again stays connected, though its older stream ends while the new one is greeted', async (t) => {
  const first = await FakeRunner.enrolled(house, { name: 'again' })
  await first.connect(house)
  const stored = () =>
    db
      .selectFrom('runners')
      .select(['connected_to', 'connected_at'])
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
  const old = await stored()
  const { setDisconnected } = house.runners
  const noted = Promise.withResolvers<void>()
  t.mock.method(house.runners, 'setDisconnected', async (...given: Parameters<typeof setDisconnected>) => {
    await setDisconnected(...given)
    noted.resolve()
  })
  runner = new FakeRunner(first.id, first.credential, first.capacity)
  let coming: Promise<void> | undefined
  await whileLocked(
    (tx) => sql`lock table attempts in access exclusive mode`.execute(tx),
    async () => {
      coming = runner.connect(house)
      await until('the new stream', stored, (row) => row.connected_at?.getTime() !== old.connected_at?.getTime())
      first.leave()
      await noted.promise
    },
  )
  await coming
  assert.equal(runner.welcomes.length, 1)
  assert.equal((await stored()).connected_to, old.connected_to)
})

test('the stream of a runner that was removed ends, also where its notification was lost', async () => {
  runner = await FakeRunner.enrolled(house, { name: 'removed' })
  await runner.connect(house)
  const spare = await FakeRunner.enrolled(house, { name: 'spare' })
  await spare.connect(house)
  await db.updateTable('runners').set({ removed_at: new Date() }).where('id', '=', spare.id).execute()
  const endOf = (one: FakeRunner) =>
    until(
      'the end of the stream',
      () => one.ended,
      (ended) => ended !== undefined,
    )
  assert.equal((await endOf(spare))?.code, 16)
  await sql`alter table runners disable trigger user`.execute(db)
  await db.updateTable('runners').set({ removed_at: new Date() }).where('id', '=', runner.id).execute()
  assert.equal((await endOf(runner))?.code, 16)
  await sql`alter table runners enable trigger user`.execute(db)
})

test('a runner that connects while the database hangs hears why it is not greeted, and is greeted after', async () => {
  runner = await FakeRunner.enrolled(house, { name: 'coming' })
  await whileLocked(
    (tx) => tx.selectFrom('runners').select('id').where('id', '=', runner.id).forUpdate().execute(),
    async () => {
      impatient = true
      await runner.connect(house)
      impatient = false
      assert.equal(runner.ended?.code, 14)
      assert.match(runner.ended?.details ?? '', /The database does not answer in time/)
    },
  )
  await until(
    'the welcome',
    async () => {
      await runner.connect(house)
      return runner.welcomes
    },
    (welcomes) => welcomes.length === 1,
  )
})
