import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { fromBinary } from '@bufbuild/protobuf'
import { LogLinesSchema } from '@signalbox/contracts/runner'
import type { Database } from '#platform/database'
import { createTestDatabase, testCaller, until } from '#platform/testing'
import {
  aRunnablePipeline,
  connectRunner,
  type ExecutionHouse,
  FakeRunner,
  openExecution,
  startRun,
} from './testing/index.ts'

const ONE = 'steps:\n  - name: one\n    tasks:\n      - { name: a, run: "true" }\n'
let count = 0

const toBe = (database: Database, id: string, wanted: string) =>
  until(
    `the run to be ${wanted}`,
    async () =>
      await database.kysely
        .selectFrom('runs')
        .select(['status', 'reason'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    ({ status }) => status === wanted,
  )

const queue = async (house: ExecutionHouse, document = ONE) => {
  count += 1
  return await startRun(house, await aRunnablePipeline(house, `p${count}`, document))
}

const attemptsOf = (database: Database, id: string) =>
  database.kysely.selectFrom('attempts').select(['number', 'status']).where('run_id', '=', id).execute()

const linesOf = async (database: Database, id: string) => {
  const chunks = await database.kysely
    .selectFrom('log_chunks')
    .innerJoin('attempts', 'attempts.id', 'log_chunks.attempt_id')
    .select(['lines_zstd', 'first_line'])
    .where('run_id', '=', id)
    .orderBy('first_line')
    .execute()
  return chunks.flatMap((chunk) =>
    fromBinary(LogLinesSchema, zstdDecompressSync(chunk.lines_zstd ?? '')).lines.map((line) => line.text),
  )
}

describe('a control plane that stops', () => {
  test('leaves tasks running; the next one takes them up with every line once', async () => {
    const { database } = await createTestDatabase()
    const first = await openExecution(database)
    const runner = await connectRunner(first)
    const id = await queue(
      first,
      'steps:\n  - name: one\n    tasks:\n      - name: count\n        run: i=0; while [ $i -lt 300 ]; do echo line $i; i=$((i+1)); sleep 0.01; done\n  - name: two\n    depends_on: [one]\n    tasks:\n      - { name: next, run: echo next }\n',
    )
    await until(
      'some lines',
      () => linesOf(database, id),
      (lines) => lines.length > 20,
    )
    await first.stop()
    const second = await openExecution(database, { port: first.port })
    await toBe(database, id, 'success')
    assert.deepEqual(
      (await linesOf(database, id)).filter((line) => line.startsWith('line')),
      Array.from({ length: 300 }, (_, index) => `line ${index}`),
    )
    const attempts = await database.kysely.selectFrom('attempts').select('number').where('run_id', '=', id).execute()
    assert.deepEqual(
      attempts.map(({ number }) => number),
      [1, 1],
    )
    await runner.stop()
    await second.stop()
  })

  test('for longer than a lease costs no runner its attempts', async () => {
    const { database } = await createTestDatabase()
    const first = await openExecution(database)
    const runner = await FakeRunner.enrolled(first)
    await runner.connect(first)
    const id = await queue(first)
    const { fence } = await runner.assigned()
    await first.stop()
    await database.kysely
      .updateTable('attempts')
      .set({ lease_expires_at: new Date(Date.now() - 3_600_000) })
      .execute()
    const second = await openExecution(database)
    await until(
      'the lease to be renewed',
      async () =>
        await database.kysely.selectFrom('attempts').select(['status', 'lease_expires_at']).executeTakeFirst(),
      (attempt) => (attempt?.lease_expires_at?.getTime() ?? 0) > Date.now(),
    )
    await runner.connect(second, [fence])
    runner.finish(fence)
    await toBe(database, id, 'success')
    runner.leave()
    await second.stop()
  })
})

describe('two dispatchers on one database', () => {
  test('start every run once, and spread them over their runners', async () => {
    const { database } = await createTestDatabase()
    const houses = [await openExecution(database), await openExecution(database)] as const
    const runners = [
      await FakeRunner.enrolled(houses[0], { name: 'left', capacity: 100 }),
      await FakeRunner.enrolled(houses[1], { name: 'right', capacity: 100 }),
    ] as const
    await runners[0].connect(houses[0])
    await runners[1].connect(houses[1])
    const pipeline = await aRunnablePipeline(houses[0], 'race', ONE)
    const ids = await database.transaction((tx) =>
      houses[0].runs.queue(
        tx,
        Array.from({ length: 100 }, () => ({ ...pipeline, cause: 'request' as const })),
      ),
    )
    await until(
      'all to be assigned',
      () => runners[0].assigns.length + runners[1].assigns.length,
      (assigned) => assigned >= 100,
    )
    const all = [...runners[0].assigns, ...runners[1].assigns]
    assert.deepEqual(all.map(({ runId }) => runId).sort(), [...ids].sort())
    assert.equal(new Set(all.map(({ fence }) => fence)).size, 100)
    for (const runner of runners) for (const { fence } of runner.assigns) runner.finish(fence)
    await until(
      'all to finish',
      async () =>
        (await database.kysely.selectFrom('runs').select('id').where('status', '=', 'success').execute()).length,
      (finished) => finished === 100,
    )
    for (const runner of runners) runner.leave()
    for (const house of houses) await house.stop()
  })

  test('serve one run together: a result that another stored is not stored over', async () => {
    const { database } = await createTestDatabase()
    const houses = [await openExecution(database), await openExecution(database)] as const
    const left = await FakeRunner.enrolled(houses[0], { name: 'left', capacity: 1 })
    const right = await FakeRunner.enrolled(houses[1], { name: 'right', capacity: 1 })
    await left.connect(houses[0])
    await right.connect(houses[1])
    const id = await queue(
      houses[0],
      'steps:\n  - name: one\n    tasks:\n      - { name: a, run: "true" }\n      - { name: b, run: "true" }\n  - name: two\n    depends_on: [one]\n    tasks:\n      - { name: c, run: "true" }\n',
    )
    const [a, b] = [await left.assigned(), await right.assigned()]
    assert.deepEqual([a.task, b.task].sort(), ['a', 'b'])
    left.finish(a.fence)
    right.finish(b.fence)
    const c = await until(
      'the last task',
      () => [...left.assigns, ...right.assigns].find(({ task }) => task === 'c'),
      (assign) => assign !== undefined,
    )
    if (!c) throw new Error('no last task')
    left.finish(c.fence)
    right.finish(c.fence)
    await toBe(database, id, 'success')
    left.leave()
    right.leave()
    for (const house of houses) await house.stop()
  })

  test('both hear at once that a run has left its group', async () => {
    const { database } = await createTestDatabase()
    let heard = 0
    database.notifications.listen('runs_group_left', (payload) => {
      if (payload !== undefined) heard++
    })
    await database.notifications.ready()
    const house = await openExecution(database)
    const runner = await FakeRunner.enrolled(house)
    await runner.connect(house)
    await queue(house, `concurrency: { group: deploy, on_conflict: queue }\n${ONE}`)
    const { fence } = await runner.assigned()
    runner.start(fence)
    assert.equal(heard, 0)
    runner.finish(fence)
    await until(
      'the notification',
      () => heard,
      (times) => times === 1,
    )
    runner.leave()
    await house.stop()
  })
})

describe('a database that is away', () => {
  test('loses no result: it is stored once the database is back', async () => {
    const { database } = await createTestDatabase()
    let failures = 0
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const flaky: Database = {
      ...database,
      transaction: (work) => {
        if (failures === 0) return database.transaction(work)
        failures -= 1
        return Promise.reject(away)
      },
    }
    const house = await openExecution(flaky)
    const runner = await FakeRunner.enrolled(house)
    await runner.connect(house)
    const id = await queue(house)
    const { fence } = await runner.assigned()
    failures = 3
    runner.finish(fence)
    await toBe(database, id, 'success')
    assert.equal(failures, 0)
    runner.leave()
    await house.stop()
  })
})

describe('a run that may not start any more', () => {
  test('fails with the reason when its initiator has lost the permission', async () => {
    const { database } = await createTestDatabase()
    const house = await openExecution(database, { subject: () => testCaller({ 'acme/web': ['run.read'] }) })
    const runner = await FakeRunner.enrolled(house)
    await runner.connect(house)
    const id = await queue(house)
    const { reason } = await toBe(database, id, 'failure')
    assert.equal(reason, 'tester may no longer start runs of acme/web.')
    runner.leave()
    await house.stop()
  })

  test('waits while authorization cannot be known', async () => {
    const { database } = await createTestDatabase()
    let known = false
    let asked = 0
    const house = await openExecution(database, {
      subject: () => {
        asked++
        if (!known) throw new Error('authorization is unavailable')
        return testCaller()
      },
    })
    const runner = await FakeRunner.enrolled(house)
    await runner.connect(house)
    const id = await queue(house)
    await until(
      'the run to be looked at again',
      () => asked,
      (times) => times >= 2,
    )
    assert.deepEqual(await toBe(database, id, 'queued'), { status: 'queued', reason: null })
    assert.deepEqual(await attemptsOf(database, id), [])
    known = true
    const { fence } = await runner.assigned()
    runner.finish(fence)
    await toBe(database, id, 'success')
    assert.deepEqual(await attemptsOf(database, id), [{ number: 1, status: 'success' }])
    runner.leave()
    await house.stop()
  })
})

describe('the queue', () => {
  test('is served oldest first, and what nobody can serve stands in nobody’s way', async () => {
    const { database } = await createTestDatabase()
    const house = await openExecution(database)
    const pipeline = await aRunnablePipeline(house, 'fifo', ONE)
    const unservable = { ...pipeline.pipeline, requirement: { executor: 'host' as const, labels: ['gpu'] } }
    const broken = { ...pipeline.pipeline, versionId: pipeline.pipeline.versionId }
    const ids = await database.transaction((tx) =>
      house.runs.queue(tx, [
        ...Array.from({ length: 50 }, () => ({ ...pipeline, pipeline: unservable, cause: 'request' as const })),
        ...Array.from({ length: 5 }, () => ({ ...pipeline, pipeline: broken, cause: 'request' as const })),
      ]),
    )
    const runner = await FakeRunner.enrolled(house, { capacity: 1 })
    await runner.connect(house)
    const order: string[] = []
    for (let index = 1; index <= 5; index++) {
      const assign = await runner.assigned(index)
      order.push(assign.runId)
      runner.finish(assign.fence)
    }
    assert.deepEqual(order, ids.slice(50))
    runner.leave()
    await house.stop()
  })

  test('passes over a run whose pipeline cannot be read, and says so in the run', async () => {
    const { database } = await createTestDatabase()
    const house = await openExecution(database)
    const pipeline = await aRunnablePipeline(house, 'poison', ONE)
    const sound = await aRunnablePipeline(house, 'sound', ONE)
    await database.kysely
      .updateTable('pipeline_versions')
      .set({ graph: JSON.stringify({ nonsense: true }) })
      .where('id', '=', pipeline.pipeline.versionId)
      .execute()
    const runner = await FakeRunner.enrolled(house)
    // Another house has not seen the graph while it was sound.
    const next = await openExecution(database)
    const poisoned = await startRun(next, pipeline)
    const id = await startRun(next, sound)
    await runner.connect(next)
    const { fence } = await runner.assigned()
    runner.finish(fence)
    await toBe(database, id, 'success')
    await toBe(database, poisoned, 'failure')
    runner.leave()
    await house.stop()
    await next.stop()
  })
})
