import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { create, toBinary } from '@bufbuild/protobuf'
import { LogLinesSchema, Result } from '@signalbox/contracts/runner'
import { createTestDatabase, until } from '#platform/testing'
import { storedLines } from '../logs/testing.ts'
import { aRunnablePipeline, type ExecutionHouse, FakeRunner, openExecution, startRun } from './testing/index.ts'

const { database } = await createTestDatabase()
let house: ExecutionHouse
let runner: FakeRunner
let count = 0
before(async () => {
  house = await openExecution(database, { env: { LEASE_SECONDS: '60' } })
  runner = await FakeRunner.enrolled(house)
})
after(async () => {
  runner.leave()
  await house.stop()
})

const DOCUMENT = 'steps:\n  - name: one\n    tasks:\n      - { name: say, run: say, checkout: false }\n'

const begin = async () => {
  count += 1
  const runId = await startRun(house, await aRunnablePipeline(house, `lost${count}`, DOCUMENT))
  await runner.connect(house)
  const { fence, attemptId } = await runner.assigned()
  runner.start(fence)
  return { runId, fence, attemptId }
}

const send = (fence: bigint, first: number, lineCount: number) => {
  const lines = Array.from({ length: lineCount }, (_, index) => ({
    atMs: 1n,
    stream: 'stdout',
    text: `${first + index}`,
  }))
  const linesZstd = zstdCompressSync(toBinary(LogLinesSchema, create(LogLinesSchema, { lines })))
  runner.send({ case: 'log', value: { fence, firstLine: BigInt(first), lineCount, linesZstd } })
}
const finish = (fence: bigint, lineCount: number) =>
  runner.send({
    case: 'finished',
    value: { fence, result: Result.SUCCESS, reason: '', lineCount: BigInt(lineCount), outputs: [] },
  })
const acknowledged = (line: number) =>
  until(
    `line ${line}`,
    () => runner.logAcks,
    (acks) => acks.some(({ nextLine }) => Number(nextLine) === line),
  )
const finishAcknowledged = () =>
  until(
    'the acknowledgement',
    () => runner.finishAcks,
    (acks) => acks.length > 0,
  )
const sentAway = () =>
  until(
    'the end of the stream',
    () => runner.ended,
    (ended) => ended !== undefined,
  )

const stored = async (runId: string, attemptId: string) => {
  const [attempt] = (await house.runs.listAttempts(database.kysely, runId)).filter(({ id }) => id === attemptId)
  assert.ok(attempt)
  return (await storedLines(house.kit, attempt)).map(({ number, gap, text }) => {
    if (gap) return `${gap.lines} ${gap.why}`
    assert.equal(text, String(number))
    return number
  })
}

describe('lines that a runner no longer has', () => {
  test('are asked for on new streams, then marked, and the log goes on', async () => {
    const { runId, fence, attemptId } = await begin()
    send(fence, 0, 2)
    await acknowledged(2)
    for (let stream = 0; stream < 2; stream++) {
      send(fence, 5, 2)
      assert.equal((await sentAway())?.details, 'A log has a gap.')
      assert.deepEqual(await stored(runId, attemptId), [0, 1])
      await runner.connect(house, [fence])
      assert.equal(Number(runner.welcomes[0]?.resume[0]?.nextLine), 2)
    }
    send(fence, 5, 2)
    await acknowledged(7)
    send(fence, 7, 1)
    await acknowledged(8)
    finish(fence, 8)
    await finishAcknowledged()
    assert.deepEqual(await stored(runId, attemptId), [0, 1, '3 lost', 5, 6, 7])
  })

  test('at the end are marked too, and the attempt can finish', async () => {
    const { runId, fence, attemptId } = await begin()
    send(fence, 0, 1)
    finish(fence, 4)
    for (let stream = 0; stream < 2; stream++) {
      await sentAway()
      await runner.connect(house, [fence])
      finish(fence, 4)
    }
    await finishAcknowledged()
    assert.deepEqual(await stored(runId, attemptId), [0, '3 lost'])
  })

  test('are none that come again behind the end: the runner may forget them, and leave', async () => {
    const { runId, fence, attemptId } = await begin()
    send(fence, 0, 3)
    finish(fence, 3)
    await finishAcknowledged()
    runner.logAcks.splice(0)
    send(fence, 0, 3)
    await acknowledged(3)
    assert.deepEqual(await stored(runId, attemptId), [0, 1, 2])
  })

  test('are none where it sends them again: old, overlapping and early chunks leave each line once', async () => {
    const { runId, fence, attemptId } = await begin()
    send(fence, 0, 3)
    send(fence, 0, 3)
    send(fence, 1, 4)
    send(fence, 7, 2)
    await sentAway()
    await runner.connect(house, [fence])
    assert.equal(Number(runner.welcomes[0]?.resume[0]?.nextLine), 5)
    send(fence, 2, 6)
    send(fence, 7, 2)
    finish(fence, 9)
    await finishAcknowledged()
    assert.deepEqual(await stored(runId, attemptId), [0, 1, 2, 3, 4, 5, 6, 7, 8])
  })
})
