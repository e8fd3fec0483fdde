import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase, createTestKit } from '#platform/testing'
import type { AttemptRow } from '#rooms/execution/runs'
import { type ArrivedChunk, appendLines, giveUpLines, type LogLimits } from './actions/append-lines.ts'
import { packLog } from './actions/pack-logs.ts'
import { readLines } from './actions/read-lines.ts'
import { anAttempt, chunkOf, NO_LIMITS, numbered, storedLines } from './testing.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const kit = createTestKit(database)
const never = new AbortController().signal
let attempt: AttemptRow

beforeEach(async () => {
  attempt = await anAttempt(kit)
})

const chunk = (first: number, count: number, padding = ''): ArrivedChunk =>
  chunkOf(
    attempt,
    first,
    numbered(first, count).map((line) => `${line}${padding}`),
  )
const append = async (...chunks: ArrivedChunk[]) => (await appendLines(db, chunks, NO_LIMITS)).get(attempt.id)
const appendWithin = async (limits: LogLimits, ...chunks: ArrivedChunk[]) =>
  (await appendLines(db, chunks, limits)).get(attempt.id)

const lines = (from = 0) => storedLines(kit, attempt, from)
const read = async (from = 0) => (await lines(from)).map((line) => line.text)

describe('lines that arrive', () => {
  test('are stored in order, many chunks at once, and read back from any line', async () => {
    assert.equal(await append(chunk(0, 3), chunk(3, 4), chunk(7, 1)), 8)
    assert.deepEqual(await read(), numbered(0, 8))
    for (let from = 0; from <= 8; from++) assert.deepEqual(await read(from), numbered(from, 8 - from))
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

  test('behind a gap that cannot be closed are stored, and the gap says how many are missing', async () => {
    await append(chunk(0, 2))
    assert.equal(await append({ ...chunk(5, 2), afterLoss: true }), 7)
    const found = await lines()
    assert.deepEqual(
      found.map(({ number, gap }) => [number, gap]),
      [
        [0, undefined],
        [1, undefined],
        [2, { lines: 3, why: 'lost' }],
        [5, undefined],
        [6, undefined],
      ],
    )
    assert.equal(await giveUpLines(db, { runId: attempt.runId, attemptId: attempt.id }, 9), 9)
    assert.deepEqual(
      (await lines(7)).map(({ number, gap }) => [number, gap]),
      [[7, { lines: 2, why: 'lost' }]],
    )
    assert.equal(await giveUpLines(db, { runId: attempt.runId, attemptId: attempt.id }, 9), 9)
  })

  test('by many streams at once, and packed meanwhile, are there once', async () => {
    await append(chunk(0, 2))
    await Promise.all([
      append(chunk(2, 3)),
      append(chunk(2, 3)),
      append(chunk(2, 2)),
      packLog(kit, attempt.id, true, never),
      append(chunk(0, 5)),
    ])
    await append(chunk(0, 7))
    assert.deepEqual(await read(), numbered(0, 7))
  })

  test('whatever is sent, again, overlapping and out of order, are each there once and in order', async () => {
    const piece = fc.record({ first: fc.nat(20), count: fc.integer({ min: 1, max: 8 }), pack: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        attempt = await anAttempt(kit)
        let next: number | undefined = 0
        for (const { first, count, pack } of pieces) {
          next = await append(chunk(first, count))
          if (pack) await packLog(kit, attempt.id, true, never)
        }
        assert.deepEqual(await read(), numbered(0, next ?? 0))
      }),
      { numRuns: 25 },
    )
  })

  test('that do not unpack keep their numbers and say so', async () => {
    const broken = { ...chunk(0, 2), linesZstd: new Uint8Array([1, 2, 3]) }
    assert.equal(await append(broken, chunk(2, 1)), 3)
    assert.deepEqual((await read()).slice(2), ['line 2'])
    assert.equal((await read()).length, 3)
  })

  test('beyond the limit are acknowledged and marked, whatever the runner sends', async () => {
    const limits = { lines: 5, bytes: NO_LIMITS.bytes }
    assert.equal(await appendWithin(limits, chunk(0, 4)), 4)
    assert.equal(await appendWithin(limits, chunk(4, 4), chunk(8, 2)), 10)
    assert.equal(await appendWithin(limits, chunk(10, 3)), 13)
    await packLog(kit, attempt.id, true, never)
    const [mark] = await lines(4)
    assert.deepEqual([mark?.number, mark?.gap], [4, { lines: 9, why: 'limit' }])
    assert.match(mark?.text ?? '', /^9 lines are missing here/)
  })

  test('of many bytes, too', async () => {
    const { linesZstd } = chunk(0, 3)
    assert.equal(await appendWithin({ ...NO_LIMITS, bytes: linesZstd.length }, chunk(0, 3), chunk(3, 3)), 6)
    assert.deepEqual(
      (await lines(3)).map(({ gap }) => gap),
      [{ lines: 3, why: 'limit' }],
    )
  })
})

test('a page of long lines ends before it fills memory, and its cursor goes on behind it', async () => {
  const long = 'x'.repeat(64 * 1024)
  await append(chunk(0, 100, long), chunk(100, 100, long))
  const numbers: number[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const query = { limit: 10_000, ...(cursor ? { cursor } : {}) }
    const page = await readLines(kit, [attempt], query, { wanted: undefined, hide: (same) => same })
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
