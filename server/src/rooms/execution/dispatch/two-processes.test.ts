import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, until } from '#platform/testing'
import { aRunnablePipeline, type ExecutionHouse, FakeRunner, openExecution, startRun } from './testing/index.ts'

const CHAIN = `steps:
  - name: one
    tasks:
      - { name: a, run: "true" }
      - { name: b, run: "true", depends_on: [a] }
      - { name: c, run: "true", depends_on: [b] }
`

const houses: ExecutionHouse[] = []
const runners: FakeRunner[] = []

// Registered before the database's own: hooks run in that order.
after(async () => {
  for (const runner of runners) runner.leave()
  for (const house of houses) await house.stop()
})

const { database } = await createTestDatabase()

const open = async () => {
  const house = await openExecution(database, { env: { LEASE_SECONDS: '30' } })
  houses.push(house)
  return house
}
const connected = async (house: ExecutionHouse) => {
  const runner = await FakeRunner.enrolled(house, { name: `box${runners.length}`, capacity: 1 })
  runners.push(runner)
  await runner.connect(house)
  return runner
}

test('a process hears what its runner says of a run that another process has moved meanwhile', async () => {
  const [one, other] = [await open(), await open()]
  const first = await connected(one)
  const id = await startRun(one, await aRunnablePipeline(one, 'chain', CHAIN))
  /** Ends the task and takes no other: the next task waits for another runner. */
  const endLast = async (runner: FakeRunner, task: string) => {
    const assign = await runner.assigned()
    assert.equal(assign.task, task)
    runner.start(assign.fence)
    runner.send({ case: 'draining', value: {} })
    runner.finish(assign.fence)
    await until(
      `the end of ${task}`,
      () => runner.finishAcks,
      (acks) => acks.length === 1,
    )
  }
  await endLast(first, 'a')
  await endLast(await connected(other), 'b')
  // The first process last saw the run before b began.
  await endLast(await connected(one), 'c')
  const { status } = await until(
    'the end of the run',
    () => database.kysely.selectFrom('runs').select('status').where('id', '=', id).executeTakeFirstOrThrow(),
    (run) => run.status !== 'running',
  )
  assert.equal(status, 'success')
})

test('a result is stored though another process has moved the run since', async () => {
  const [one, other] = [await open(), await open()]
  const pair = 'steps: [{ name: one, tasks: [{ name: a, run: "true" }, { name: b, run: "true" }] }]\n'
  const end = async (runner: FakeRunner, fence: bigint) => {
    runner.finish(fence)
    await until(
      'the end to be stored',
      () => runner.finishAcks,
      (acks) => acks.length === 1,
    )
    runner.leave()
  }
  const first = await connected(one)
  const id = await startRun(one, await aRunnablePipeline(one, 'pair', pair))
  const { fence } = await first.assigned()
  first.start(fence)
  const second = await connected(other)
  const late = await second.assigned()
  second.start(late.fence)
  await end(second, late.fence)
  await end(first, fence)
  const run = database.kysely.selectFrom('runs').select('status').where('id', '=', id)
  assert.equal((await run.executeTakeFirstOrThrow()).status, 'success')
  const facts = await database.kysely.selectFrom('facts').select('payload').where('kind', '=', 'run.finished').execute()
  assert.ok(
    facts.some(({ payload }) => Object(payload)['run_id'] === id),
    'whoever wants to know is told',
  )
})

test('a run is not to blame where another process was quicker to give an attempt its number', async () => {
  await sql`create sequence raced`.execute(database.kysely)
  await sql`create function race() returns trigger language plpgsql as $$
    begin
      if nextval('raced') <= 2 then raise unique_violation using constraint = 'attempts_taken'; end if;
      return new;
    end $$`.execute(database.kysely)
  await sql`create trigger race before insert on attempts for each row execute function race()`.execute(database.kysely)
  const house = await open()
  const runner = await connected(house)
  const id = await startRun(
    house,
    await aRunnablePipeline(house, 'raced', 'steps: [{ name: one, tasks: [{ name: only, run: "true" }] }]'),
  )
  const assign = await runner.assigned()
  runner.start(assign.fence)
  runner.finish(assign.fence)
  const { status } = await until(
    'the end of the run',
    () => database.kysely.selectFrom('runs').select('status').where('id', '=', id).executeTakeFirstOrThrow(),
    (run) => !['queued', 'running'].includes(run.status),
  )
  assert.equal(status, 'success')
})
