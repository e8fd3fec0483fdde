import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { create, toBinary } from '@bufbuild/protobuf'
import { LogLinesSchema } from '@signalbox/contracts/runner'
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

before(async () => {
  house = await openExecution(database)
})
afterEach(() => sendAway(house, runner))

const queue = async () => {
  count += 1
  return await startRun(house, await aRunnablePipeline(house, `p${count}`, IDEMPOTENT))
}
const connected = async () => {
  runner = await FakeRunner.enrolled(house, { name: `box${count}`, capacity: 1 })
  await runner.connect(house)
}
const firstToBe = (id: string, wanted: string) =>
  until(
    `the first attempt to be ${wanted}`,
    () => db.selectFrom('attempts').select('status').where('run_id', '=', id).where('number', '=', 1).execute(),
    ([attempt]) => attempt?.status === wanted,
  )

describe('the only place of a runner', () => {
  test('is free again when the runner gave up at the end of its lease what it had', async () => {
    await connected()
    const id = await queue()
    const first = await runner.assigned()
    runner.start(first.fence)
    await endLeases(house, id)
    // The runner has ended it by itself, and names it no more; its stream goes on.
    await firstToBe(id, 'lost')
    runner.beat([])
    const second = await runner.assigned(2)
    assert.deepEqual([second.runId, second.attempt], [id, 2])
    runner.finish(second.fence)
    await until(
      'the acknowledgement',
      () => runner.finishAcks,
      (acks) => acks.length === 1,
    )
  })

  test('is not given away by a heartbeat that left before the assignment came', async () => {
    await connected()
    const id = await queue()
    const { fence } = await runner.assigned()
    runner.beat([])
    await until(
      'the answer',
      () => runner.heartbeatAcks,
      (acks) => acks.length === 1,
    )
    const other = await queue()
    runner.finish(fence)
    await firstToBe(id, 'success')
    const next = await runner.assigned(2)
    assert.equal(next.runId, other)
    runner.finish(next.fence)
    await firstToBe(other, 'success')
  })
})

test('an attempt whose lines are stored is not given out again, even if its start is not', async () => {
  await connected()
  const id = await queue()
  const { fence } = await runner.assigned()
  const lines = [{ atMs: 1n, stream: 'stdout', text: 'hello' }]
  const linesZstd = zstdCompressSync(toBinary(LogLinesSchema, create(LogLinesSchema, { lines })))
  runner.send({ case: 'log', value: { fence, firstLine: 0n, lineCount: 1, linesZstd } })
  await until(
    'the line to be stored',
    () => runner.logAcks,
    (acks) => acks.length === 1,
  )
  await runner.connect(house)
  await firstToBe(id, 'lost')
  const second = await runner.assigned()
  assert.deepEqual([second.attempt, second.fence === fence], [2, false])
  runner.finish(second.fence)
})
