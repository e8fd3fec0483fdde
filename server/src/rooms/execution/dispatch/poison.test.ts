import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, createTestKit, until } from '#platform/testing'
import type { NewRun } from '#rooms/execution/runs'
import { ASIDE_MS } from './dispatcher/isolation.ts'
import {
  aRunnablePipeline,
  type ExecutionHouse,
  FakeRunner,
  openExecution,
  sendAway,
  startRun,
} from './testing/index.ts'

const ONE = 'steps:\n  - name: one\n    tasks:\n      - { name: a, run: "true" }\n'
const TWO = 'steps:\n  - name: one\n    tasks:\n      - { name: a, run: "true" }\n      - { name: b, run: "true" }\n'
const STOPPED = 'An internal error of the control plane stopped it (23514).'

let house: ExecutionHouse
let runner: FakeRunner
let one: Omit<NewRun, 'cause'>
let two: Omit<NewRun, 'cause'>
let count = 0

// Registered before the database's own: hooks run in that order.
after(async () => await house.stop())

const { database } = await createTestDatabase()
const db = database.kysely
const { clock } = createTestKit(database)

before(async () => {
  // Only one delay is shortened: the time until a run that was set aside is tried again.
  const hurried = {
    ...clock,
    after: (ms: number, work: () => void) => clock.after(ms === ASIDE_MS ? 50 : ms, work),
  }
  // The runner of these tests says nothing by itself.
  const env = { LEASE_SECONDS: '60', HEARTBEAT_SECONDS: '20' }
  house = await openExecution(database, { env, kit: { clock: hurried } })
  one = await aRunnablePipeline(house, 'one', ONE)
  two = await aRunnablePipeline(house, 'two', TWO)
})
afterEach(() => sendAway(house, runner))

const connected = async (capacity: number) => {
  count += 1
  runner = await FakeRunner.enrolled(house, { name: `box${count}`, capacity })
  await runner.connect(house)
}
const ended = async (id: string) =>
  await until(
    'the run to end',
    () => db.selectFrom('runs').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow(),
    ({ status }) => !['queued', 'running'].includes(status),
  )
const acknowledged = async (fence: bigint) =>
  await until(
    'the acknowledgement',
    () => runner.finishAcks.some((ack) => ack.fence === fence),
    (told) => told,
  )
const assignedOf = async (id: string) => {
  const assign = await until(
    `run ${id} to be assigned`,
    () => runner.assigns.find(({ runId }) => runId === id),
    (found) => found !== undefined,
  )
  return assign?.fence ?? 0n
}
/** From now on the table refuses rows of the run that are not as `fine` says. */
const poison = async (table: string, column: string, id: string, fine: string) => {
  count += 1
  await sql
    .raw(`alter table ${table} add constraint poison${count} check (${column} <> '${id}' or ${fine}) not valid`)
    .execute(db)
}

describe('a queued run that makes its round fail', () => {
  test('ends with a sentence; those before and behind it in its lane begin', async () => {
    const ids = await database.transaction((tx) =>
      house.runs.queue(
        tx,
        Array.from({ length: 5 }, () => ({ ...one, cause: 'request' as const })),
      ),
    )
    const bad = ids[1] ?? ''
    await poison('runs', 'id', bad, "status in ('queued', 'failure')")
    await connected(2)
    for (const id of ids.filter((each) => each !== bad)) {
      runner.finish(await assignedOf(id))
      assert.equal((await ended(id)).status, 'success')
    }
    assert.deepEqual(await ended(bad), { status: 'failure', reason: STOPPED })
    const facts = await db.selectFrom('facts').select('payload').where('kind', '=', 'run.finished').execute()
    assert.equal(facts.filter(({ payload }) => JSON.stringify(payload).includes(bad)).length, 1)
  })

  test('because it cannot be read ends, too', async () => {
    const bad = await startRun(house, { ...one, event: { some: 'event' } })
    // A block of its own: this process remembers the text of the one that it stored.
    const block = randomUUID()
    await db
      .insertInto('run_event_blocks')
      .values({ id: block, events_zstd: Buffer.from('nonsense') })
      .execute()
    await db.updateTable('runs').set({ event_block_id: block }).where('id', '=', bad).execute()
    const good = await startRun(house, one)
    await connected(1)
    runner.finish(await assignedOf(good))
    assert.match((await ended(bad)).reason ?? '', /^An internal error of the control plane stopped it \(\w+\)\.$/)
    await ended(good)
  })

  test('of which there are several ends each of them', async () => {
    const bad = [await startRun(house, one), await startRun(house, one)]
    for (const id of bad) await poison('runs', 'id', id, "status in ('queued', 'failure')")
    const good = await startRun(house, one)
    await connected(1)
    runner.finish(await assignedOf(good))
    await ended(good)
    for (const id of bad) assert.equal((await ended(id)).reason, STOPPED)
  })
})

test('where many make their rounds fail, ten of them end; the others stay queued, and still nobody waits for them', async () => {
  const quiet = await createTestDatabase()
  const other = await openExecution(quiet.database)
  const run = await aRunnablePipeline(other, 'many', ONE)
  const cause = 'request' as const
  const bad = await quiet.database.transaction((tx) =>
    other.runs.queue(
      tx,
      Array.from({ length: 14 }, () => ({ ...run, cause })),
    ),
  )
  await sql
    .raw(
      `alter table runs add constraint poison check (id > '${bad.at(-1)}' or status in ('queued', 'failure')) not valid`,
    )
    .execute(quiet.database.kysely)
  const good = await startRun(other, run)
  const box = await FakeRunner.enrolled(other, { capacity: 1 })
  await box.connect(other)
  assert.equal((await box.assigned()).runId, good)
  const rows = await quiet.database.kysely.selectFrom('runs').select('status').where('id', 'in', bad).execute()
  assert.equal(rows.filter(({ status }) => status === 'failure').length, 10)
  assert.equal(rows.filter(({ status }) => status === 'queued').length, 4)
  box.leave()
  await other.stop()
})

describe('a result that makes its round fail', () => {
  test('ends its run, and is acknowledged; results of others that came with it are stored', async () => {
    await connected(4)
    const [bad, good] = [await startRun(house, two), await startRun(house, one)]
    const fence = await assignedOf(bad)
    const other = await assignedOf(good)
    await until(
      'the second task',
      () => runner.assigns.filter(({ runId }) => runId === bad),
      (assigns) => assigns.length === 2,
    )
    await poison('run_tasks', 'run_id', bad, "status not in ('success', 'failure')")
    runner.finish(fence)
    runner.finish(other)
    assert.equal((await ended(good)).status, 'success')
    assert.deepEqual(await ended(bad), { status: 'failure', reason: STOPPED })
    await acknowledged(fence)
    await acknowledged(other)
    const second = runner.assigns.find((assign) => assign.runId === bad && assign.fence !== fence)
    await until(
      'the task that is still in hand to be canceled',
      () => runner.cancels.some((cancel) => cancel.fence === second?.fence),
      (told) => told,
    )
    runner.finish(second?.fence ?? 0n)
    await acknowledged(second?.fence ?? 0n)
    const attempts = await db.selectFrom('attempts').select('status').where('run_id', '=', bad).execute()
    assert.deepEqual(
      attempts.map(({ status }) => status),
      ['canceled', 'canceled'],
    )
  })

  test('is kept where its run cannot even be ended, until it can be stored', async () => {
    await connected(2)
    const [bad, good] = [await startRun(house, one), await startRun(house, one)]
    const [fence, other] = [await assignedOf(bad), await assignedOf(good)]
    await sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no' using errcode = 'XX000'; end $$`.execute(db)
    await sql
      .raw(`create trigger refuse before update on runs for each row when (new.id = '${bad}')
      execute function refuse()`)
      .execute(db)
    runner.finish(fence)
    runner.finish(other)
    assert.equal((await ended(good)).status, 'success')
    const next = await startRun(house, one)
    runner.finish(await assignedOf(next))
    assert.equal((await ended(next)).status, 'success')
    assert.ok(!runner.finishAcks.some((ack) => ack.fence === fence))
    await sql`drop trigger refuse on runs`.execute(db)
    assert.equal((await ended(bad)).status, 'success')
    await acknowledged(fence)
  })
})

test('a run that is ended by force leaves results as they are that were stored while it was waited for', async () => {
  await connected(1)
  const id = await startRun(house, one)
  await assignedOf(id)
  const held = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  const storing = database.transaction(async (tx) => {
    await sql`update runs set revision = revision + 1 where id = ${id}`.execute(tx)
    await sql`update attempts set status = 'success', finished_at = now() where run_id = ${id}`.execute(tx)
    held.resolve()
    await stored.promise
  })
  await held.promise
  const failing = database.transaction((tx) => house.runs.progress.failRun(tx, id, 'It was stopped.'))
  await until(
    'the end to wait for the result',
    async () =>
      (
        await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      ).rows.length,
    (waiting) => waiting > 0,
  )
  stored.resolve()
  await storing
  assert.deepEqual(await failing, [])
  const attempts = await db.selectFrom('attempts').select('status').where('run_id', '=', id).execute()
  assert.deepEqual(attempts, [{ status: 'success' }])
  assert.equal((await ended(id)).reason, 'It was stopped.')
})
