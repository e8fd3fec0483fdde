import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import { createTestDatabase, until } from '#platform/testing'
import {
  aRunnablePipeline,
  type ExecutionHouse,
  endLeases,
  FakeRunner,
  openExecution,
  sendAway,
  startRun,
} from './testing/index.ts'

const ONE = 'steps:\n  - name: one\n    tasks:\n      - { name: a, run: "true" }\n'
const IDEMPOTENT = 'steps:\n  - name: one\n    tasks:\n      - { name: a, run: "true", idempotent: true }\n'

let house: ExecutionHouse
let runner: FakeRunner

// Registered before the database's own: hooks run in that order.
after(async () => {
  await house.stop()
})

const { database } = await createTestDatabase()
const db = database.kysely
let count = 0

/** Long: what a test does while one goes on must not end with it, however slow the machine is. */
const LEASE_SECONDS = 300

before(async () => {
  // A heartbeat that the database keeps waiting is answered without it after a second.
  house = await openExecution(database, { env: { LEASE_SECONDS: String(LEASE_SECONDS), HEARTBEAT_SECONDS: '1' } })
})
afterEach(() => sendAway(house, runner))

const queue = async (document: string) => {
  count += 1
  return await startRun(house, await aRunnablePipeline(house, `p${count}`, document))
}
const connected = async () => {
  runner = await FakeRunner.enrolled(house, { name: `box${count}` })
  await runner.connect(house)
}
const statusOf = async (id: string) =>
  await db.selectFrom('runs').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow()
const attemptsOf = async (id: string) =>
  await db
    .selectFrom('attempts')
    .select(['number', 'status', 'reason', 'started_at', 'lease_expires_at'])
    .where('run_id', '=', id)
    .orderBy('id')
    .execute()
const startStored = (id: string) =>
  until(
    'the start to be stored',
    () => attemptsOf(id),
    ([attempt]) => attempt !== undefined && attempt.started_at !== null,
  )
const toBe = (id: string, wanted: string) =>
  until(
    `the run to be ${wanted}`,
    () => statusOf(id),
    ({ status }) => status === wanted,
  )

describe('a lease', () => {
  test('ends when the runner is silent: the attempt is lost and its late result counts for nothing', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence, stopWhenLeaseEnds } = await runner.assigned()
    assert.equal(stopWhenLeaseEnds, false, 'no other attempt can follow')
    runner.start(fence)
    await endLeases(house, id)
    const { reason } = await toBe(id, 'failure')
    assert.match(reason ?? '', new RegExp(`the runner was silent for ${LEASE_SECONDS} s`))
    assert.deepEqual(
      (await attemptsOf(id)).map(({ status }) => status),
      ['lost'],
    )

    runner.finish(fence)
    await until(
      'the acknowledgement',
      () => runner.finishAcks,
      (acks) => acks.length === 1,
    )
    assert.equal((await statusOf(id)).status, 'failure')
    assert.deepEqual(
      (await attemptsOf(id)).map(({ status }) => status),
      ['lost'],
    )
  })

  test('of an idempotent task that was lost is followed by another with a new fence', async () => {
    await connected()
    const id = await queue(IDEMPOTENT)
    const first = await runner.assigned()
    assert.equal(first.stopWhenLeaseEnds, true)
    await endLeases(house, id)
    const second = await runner.assigned(2)
    assert.notEqual(second.fence, first.fence)
    assert.equal(second.attempt, 2)
    runner.finish(first.fence)
    runner.finish(second.fence)
    await toBe(id, 'success')
    assert.deepEqual(
      (await attemptsOf(id)).map(({ number, status }) => [number, status]),
      [
        [1, 'lost'],
        [2, 'success'],
      ],
    )
  })

  test('is renewed by heartbeats for as long as they come', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence } = await runner.assigned()
    runner.start(fence)
    for (let sequence = 1n; sequence <= 4n; sequence++) {
      const beatAt = Date.now()
      runner.beat([fence], sequence)
      await until(
        `heartbeat ${sequence} to be answered`,
        () => runner.heartbeatAcks,
        (acks) => acks.some((ack) => ack.sequence === sequence),
      )
      const [attempt] = await until(
        'the lease to have its full time anew',
        () => attemptsOf(id),
        ([found]) => (found?.lease_expires_at?.getTime() ?? 0) >= beatAt + LEASE_SECONDS * 1000,
      )
      assert.equal(attempt?.status, 'leased')
    }
    assert.ok(runner.heartbeatAcks.every(({ lost }) => lost.length === 0))
    runner.finish(fence)
    await toBe(id, 'success')
  })

  test('that another dispatcher ended is told with the next heartbeat', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence } = await runner.assigned()
    await db.updateTable('attempts').set({ status: 'lost', finished_at: new Date() }).where('run_id', '=', id).execute()
    runner.beat([fence])
    // A database that is slow just then lets one be answered without it.
    const acks = await until(
      'the loss to be told',
      () => runner.heartbeatAcks,
      (all) => all.some(({ lost }) => lost.length > 0),
    )
    assert.deepEqual(
      acks.flatMap(({ lost }) => lost),
      [fence],
    )
  })
})

describe('while the database does not answer heartbeats', () => {
  const nothing = async (): Promise<void> => undefined
  const letLeasesEnd = (tx: Tx) =>
    tx
      .updateTable('attempts')
      .set({ lease_expires_at: new Date(0) })
      .where('status', '=', 'leased')
      .execute()

  /**
   * Beats while rows are locked, and once more after `atLast`, which others see when the locks are gone. Every heartbeat is
   * answered, and no answer names a lost attempt.
   */
  async function beatWhileLocked(
    fence: bigint,
    lock: (tx: Tx) => Promise<unknown>,
    atLast: (tx: Tx) => Promise<unknown> = nothing,
  ): Promise<void> {
    const beat = async (sequence: bigint): Promise<void> => {
      runner.beat([fence], sequence)
      await until(
        `heartbeat ${sequence} to be answered`,
        () => runner.heartbeatAcks,
        (acks) => acks.some((ack) => ack.sequence === sequence),
      )
    }
    await database.transaction(async (tx) => {
      // However long: a machine may be slow.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await lock(tx)
      for (let sequence = 1n; sequence <= 3n; sequence++) await beat(sequence)
      await atLast(tx)
      await beat(4n)
      assert.ok(runner.heartbeatAcks.every(({ lost }) => lost.length === 0))
    })
  }

  for (const [what, lock] of [
    ['leases cannot be renewed', (tx: Tx) => tx.selectFrom('attempts').select('id').forUpdate().execute()],
    ['only that the runner is there', (tx: Tx) => tx.selectFrom('runners').select('id').forUpdate().execute()],
  ] as const) {
    test(`${what}: its task goes on, and its result counts`, async () => {
      await connected()
      const id = await queue(IDEMPOTENT)
      const { fence } = await runner.assigned()
      runner.start(fence)
      await startStored(id)
      await beatWhileLocked(fence, lock, letLeasesEnd)
      await until(
        'the lease to have its time anew',
        () => attemptsOf(id),
        ([attempt]) => attempt?.status !== 'leased' || (attempt.lease_expires_at?.getTime() ?? 0) > Date.now(),
      )
      runner.finish(fence)
      await toBe(id, 'success')
      assert.deepEqual(
        (await attemptsOf(id)).map(({ status }) => status),
        ['success'],
      )
    })
  }

  test('what was lost before is told as soon as it answers', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence } = await runner.assigned()
    await beatWhileLocked(fence, (tx) =>
      tx.updateTable('attempts').set({ status: 'lost', finished_at: new Date() }).where('run_id', '=', id).execute(),
    )
    const acks = await until(
      'the loss to be told',
      () => runner.heartbeatAcks,
      (all) => all.some(({ lost }) => lost.length > 0),
    )
    assert.deepEqual(
      acks.flatMap(({ lost }) => lost),
      [fence],
    )
  })
})

describe('a runner that connects again', () => {
  test('goes on with what it has in hand', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence } = await runner.assigned()
    runner.start(fence)
    await runner.connect(house, [fence])
    const [welcome] = runner.welcomes
    assert.deepEqual(
      welcome?.resume.map((each) => [each.fence, each.nextLine]),
      [[fence, 0n]],
    )
    runner.finish(fence)
    await toBe(id, 'success')
  })

  test('gets an assignment again that never reached it', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence } = await runner.assigned()
    await runner.connect(house)
    const again = await runner.assigned()
    assert.equal(again.fence, fence)
    runner.finish(fence)
    await toBe(id, 'success')
  })

  test('does not get again what reached it, though it was killed before it could say so', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence } = await runner.assigned()
    await runner.connect(house, [], [fence])
    const { reason } = await toBe(id, 'failure')
    assert.match(reason ?? '', /restarted/)
    assert.deepEqual(
      (await attemptsOf(id)).map((attempt) => attempt.status),
      ['lost'],
    )
  })

  test('after a restart has lost what it had begun', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence } = await runner.assigned()
    runner.start(fence)
    await startStored(id)
    await runner.connect(house)
    const { reason } = await toBe(id, 'failure')
    assert.match(reason ?? '', /restarted/)
  })

  test('hears once more that its run was canceled', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence } = await runner.assigned()
    runner.start(fence)
    await startStored(id)
    runner.leave()
    await sql`update attempts set cancel_reason = 'canceled by ada' where run_id = ${id}`.execute(db)
    await runner.connect(house, [fence])
    await until(
      'the word',
      () => runner.cancels,
      ([cancel]) => cancel?.fence === fence && cancel.reason === 'canceled by ada',
    )
    runner.finish(fence, Result.CANCELED)
    await until(
      'the end',
      () => statusOf(id),
      ({ status }) => status !== 'running',
    )
  })

  test('and was told to drain while it was away hears of that before anything is given to it', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence } = await runner.assigned()
    runner.leave()
    await sql`update runners set draining = true where id = ${runner.id}`.execute(db)
    await runner.connect(house)
    assert.equal((await runner.assigned()).fence, fence)
    const kinds = runner.received.map(({ kind }) => kind.case)
    assert.deepEqual(kinds.slice(0, 3), ['welcome', 'drain', 'assign'])
    runner.finish(fence)
    await toBe(id, 'success')
  })

  test('is told which of its attempts are not its own any more', async () => {
    await connected()
    await runner.connect(house, [123_456n])
    assert.deepEqual(runner.welcomes[0]?.lost, [123_456n])
  })

  test('hears once more that a result is stored when that word was lost', async () => {
    await connected()
    const id = await queue(ONE)
    const { fence } = await runner.assigned()
    runner.finish(fence)
    await toBe(id, 'success')
    await runner.connect(house, [fence])
    assert.deepEqual(runner.welcomes[0]?.lost, [])
    runner.finish(fence)
    await until(
      'the acknowledgement',
      () => runner.finishAcks,
      (acks) => acks.length === 1,
    )
  })

  test('takes the place of its older stream', async () => {
    await connected()
    const twin = new FakeRunner(runner.id, runner.credential, 4)
    await twin.connect(house)
    await until(
      'the older stream to end',
      () => runner.ended,
      (ended) => ended !== undefined,
    )
    const id = await queue(ONE)
    const { fence } = await twin.assigned()
    twin.finish(fence)
    await toBe(id, 'success')
    twin.leave()
  })
})

describe('who may not connect', () => {
  test('a wrong credential is refused', async () => {
    await connected()
    const stranger = new FakeRunner(runner.id, `${runner.credential.slice(0, -4)}aaaa`, 4)
    await stranger.connect(house)
    assert.equal(stranger.ended?.code, 16)
  })
})

describe('results', () => {
  test('with characters that the database cannot hold are stored all the same', async () => {
    await connected()
    const id = await queue('steps:\n  - name: one\n    tasks:\n      - { name: a, run: "true", outputs: { x: {} } }\n')
    const { fence } = await runner.assigned()
    runner.finish(fence, Result.SUCCESS, [{ name: 'x', value: 'a\0b\u{1F600}' }])
    await toBe(id, 'success')
    const task = await db.selectFrom('run_tasks').select('outputs').where('run_id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual(task.outputs, { x: { value: 'a\uFFFDb\u{1F600}' } })
  })
})

test('a lease ends also while something else that is swept cannot be stored', async (t) => {
  const other = await createTestDatabase()
  const stuck = await openExecution(other.database)
  t.after(() => stuck.stop())
  runner = await FakeRunner.enrolled(stuck, { capacity: 1 })
  await runner.connect(stuck)
  const pipeline = await aRunnablePipeline(stuck, 'stuck', ONE)
  const id = await startRun(stuck, pipeline)
  await runner.assigned()
  const overdue = await startRun(stuck, pipeline)
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no' using errcode = 'XX000'; end $$`.execute(other.database.kysely)
  await other.database.transaction(async (tx) => {
    await sql`update runs set queue_timeout_ms = 1, queue_deadline_at = queued_at where id = ${overdue}`.execute(tx)
    await sql
      .raw(
        `create trigger refuse before update on runs for each row when (new.id = '${overdue}') execute function refuse()`,
      )
      .execute(tx)
  })
  await endLeases(stuck, id)
  const lost = await until(
    'the lease to end',
    () => other.database.kysely.selectFrom('runs').select('reason').where('id', '=', id).executeTakeFirstOrThrow(),
    ({ reason }) => reason !== null,
  )
  assert.match(lost.reason ?? '', /the runner was silent for \d+ s/)
})
