import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { create, toBinary } from '@bufbuild/protobuf'
import { LogLinesSchema } from '@signalbox/contracts/runner'
import { sql } from 'kysely'
import { createTestDatabase, createTestKit } from '#platform/testing'
import type { AttemptRow } from '#rooms/execution/runs'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aRun } from '../runs/testing.ts'
import { type ArrivedChunk, appendLines } from './actions/append-lines.ts'
import { readChunks, readLines } from './actions/read-lines.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const kit = createTestKit(database)
let attemptId: string
let runId: string
let count = 0

beforeEach(async () => {
  count += 1
  await aTeam(db, 'acme/web')
  runId = await aRun(db, await aPipeline(db, `acme/web/p${count}`))
  attemptId = kit.ids.next()
  await sql`insert into run_steps (run_id, step, position, status, blocks) values (${runId}, 's', 0, 'running', false)`.execute(
    db,
  )
  await sql`insert into run_tasks (run_id, step, task, position, status, blocks, attempt, outputs)
    values (${runId}, 's', 't', 0, 'running', false, 1, '{}')`.execute(db)
  await sql`insert into attempts (id, run_id, step, task, number, status, scope, requirement, created_at)
    values (${attemptId}, ${runId}, 's', 't', 1, 'waiting', 'acme/web/x', '{}', now())`.execute(db)
})

/** Lines `first` to `first + count - 1`, each saying its number. */
const chunk = (first: number, lineCount: number, padding = ''): ArrivedChunk => {
  const lines = Array.from({ length: lineCount }, (_, index) => ({
    atMs: 1n,
    stream: 'stdout',
    text: `line ${first + index}${padding}`,
  }))
  const linesZstd = zstdCompressSync(toBinary(LogLinesSchema, create(LogLinesSchema, { lines })))
  return { runId, attemptId, firstLine: first, lineCount, linesZstd }
}
const append = async (...chunks: ArrivedChunk[]) => (await appendLines(db, chunks)).get(attemptId)

const attempt = (): AttemptRow => ({
  id: attemptId,
  runId,
  step: 's',
  task: 't',
  number: 1,
  status: 'leased',
  fence: 1,
  runnerId: null,
  reason: null,
  exitCode: null,
  cancelRequestedAt: null,
  cancelReason: null,
  createdAt: new Date(),
  leasedAt: null,
  startedAt: null,
  finishedAt: null,
})

const read = async (from = 0) => {
  const lines: string[] = []
  for await (const page of readChunks(db, attempt(), from)) lines.push(...page.map((line) => line.text))
  return lines
}
const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `line ${from + index}`)

describe('lines that arrive', () => {
  test('are stored in order, many chunks at once, and read back from any line', async () => {
    assert.equal(await append(chunk(0, 3), chunk(3, 4), chunk(7, 1)), 8)
    assert.deepEqual(await read(), numbered(0, 8))
    for (let from = 0; from <= 8; from++) assert.deepEqual(await read(from), numbered(from, 8))
  })

  test('again change nothing', async () => {
    await append(chunk(0, 3))
    assert.equal(await append(chunk(0, 3)), 3)
    assert.equal(await append(chunk(0, 2), chunk(1, 2)), 3)
    assert.deepEqual(await read(), numbered(0, 3))
  })

  test('that overlap what is stored are cut', async () => {
    await append(chunk(0, 3))
    assert.equal(await append(chunk(1, 5)), 6)
    assert.deepEqual(await read(), numbered(0, 6))
  })

  test('behind a gap are refused', async () => {
    assert.equal(await append(chunk(1, 2)), 0)
    await append(chunk(0, 2))
    assert.equal(await append(chunk(3, 1), chunk(2, 1)), 3)
    assert.deepEqual(await read(), numbered(0, 3))
  })

  test('by two streams at once are there once', async () => {
    const results = await Promise.all([append(chunk(0, 3)), append(chunk(0, 3)), append(chunk(0, 2))])
    assert.ok(results.every((next) => next === 3 || next === 2))
    await append(chunk(0, 5))
    assert.deepEqual(await read(), numbered(0, 5))
  })

  test('that do not unpack keep their numbers and say so', async () => {
    const broken = { ...chunk(0, 2), linesZstd: new Uint8Array([1, 2, 3]) }
    assert.equal(await append(broken, chunk(2, 1)), 3)
    assert.deepEqual((await read()).slice(2), ['line 2'])
    assert.equal((await read()).length, 3)
  })
})

test('a page of long lines ends before it fills memory, and its cursor goes on behind it', async () => {
  const long = 'x'.repeat(64 * 1024)
  await append(chunk(0, 100, long), chunk(100, 100, long))
  const numbers: number[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await readLines(db, [attempt()], { limit: 10_000, ...(cursor ? { cursor } : {}) })
    assert.ok(page.lines.length < 200)
    numbers.push(...page.lines.map((line) => line.number))
    cursor = page.next
    pages += 1
  } while (cursor)
  assert.equal(pages, 2)
  assert.deepEqual(
    numbers,
    Array.from({ length: 200 }, (_, number) => number),
  )
})
