import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { FailPoint } from '#platform/fail-points'
import type { Kit } from '#platform/room'
import { createTestDatabase, createTestKit } from '#platform/testing'
import type { AttemptRow } from '#rooms/execution/runs'
import { appendLines } from './actions/append-lines.ts'
import { dropOldLogs } from './actions/drop-old-logs.ts'
import { packLog, packLogs } from './actions/pack-logs.ts'
import { readBlocks } from './actions/read-blocks.ts'
import { linesOf } from './actions/read-lines.ts'
import { dropRows } from './store/packing.ts'
import { anAttempt, chunkOf, NO_LIMITS, numbered, storedLines } from './testing.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const db = database.kysely
const never = new AbortController().signal

const rowsOf = (attempt: AttemptRow) =>
  db
    .selectFrom('log_chunks')
    .select(['first_line', 'line_count', 'raw_bytes', 'first_at', 'last_at'])
    .where('attempt_id', '=', attempt.id)
    .orderBy('first_line')
    .execute()
const textsOf = async (attempt: AttemptRow) => (await storedLines(kit, attempt)).map(({ text }) => text)

/** Ten lines in ten rows, from `first` on. */
const write = async (attempt: AttemptRow, first: number, padding = '') => {
  const texts = numbered(first, 10)
  for (const [index, text] of texts.entries()) {
    await appendLines(db, [chunkOf(attempt, first + index, [`${text}${padding}`])], NO_LIMITS)
  }
}

/** A process that dies at this point: nothing of its transaction is left. */
const dyingAt = (point: FailPoint): Kit => ({
  ...kit,
  failPoints: {
    hit(name) {
      if (name === point) throw new Error(`killed at ${point}`)
    },
  },
})

describe('small rows', () => {
  test('become one, which says what is in it, and later lines are put together with it', async () => {
    const attempt = await anAttempt(kit)
    await write(attempt, 0)
    assert.equal((await rowsOf(attempt)).length, 10)
    await packLog(kit, attempt.id, true, never)
    const [row, ...others] = await rowsOf(attempt)
    assert.deepEqual(others, [])
    assert.deepEqual([row?.first_line, row?.line_count], [0, 10])
    assert.ok((row?.raw_bytes ?? 0) > 100)
    assert.deepEqual([row?.first_at?.getTime(), row?.last_at?.getTime()], [1_763_780_000_000, 1_763_780_000_009])
    await write(attempt, 10)
    assert.equal(await packLog(kit, attempt.id, false, never), 0, 'few lines of a log that goes on stay as they are')
    await packLog(kit, attempt.id, true, never)
    assert.deepEqual(
      (await rowsOf(attempt)).map(({ line_count }) => line_count),
      [20],
    )
    assert.deepEqual(await textsOf(attempt), numbered(0, 20))
  })

  test('become several where they are many: none is much larger than a megabyte', async () => {
    const attempt = await anAttempt(kit)
    const padding = ` ${'x'.repeat(60_000)}`
    for (let first = 0; first < 50; first += 10) await write(attempt, first, padding)
    await packLog(kit, attempt.id, false, never)
    const rows = await rowsOf(attempt)
    assert.ok(rows.length < 20 && rows.length > 2, `${rows.length} rows`)
    assert.ok(rows.every(({ raw_bytes }) => (raw_bytes ?? 0) < 1.2 * 1024 * 1024))
    assert.deepEqual(
      await textsOf(attempt),
      numbered(0, 50).map((text) => `${text}${padding}`),
    )
  })

  for (const point of ['logs.before_pack', 'logs.after_pack'] as const) {
    test(`lose and double no line when a process dies at ${point}, and are packed by the next`, async () => {
      const attempt = await anAttempt(kit)
      await write(attempt, 0)
      await appendLines(db, [{ ...chunkOf(attempt, 15, ['late']), afterLoss: true }], NO_LIMITS)
      await write(attempt, 16)
      await assert.rejects(packLog(dyingAt(point), attempt.id, true, never), /killed at/)
      const expected = [
        ...numbered(0, 10),
        '5 lines are missing here: the runner had lost them.',
        'late',
        ...numbered(16, 10),
      ]
      assert.deepEqual(await textsOf(attempt), expected)
      await packLog(kit, attempt.id, true, never)
      assert.deepEqual(await textsOf(attempt), expected)
      assert.equal((await rowsOf(attempt)).length, 3)
    })
  }

  test('are packed by the job when a log is silent, and while somebody reads', async () => {
    const attempt = await anAttempt(kit)
    for (const first of [0, 10, 20]) await write(attempt, first)
    const reading = readBlocks(db, { attemptId: attempt.id, from: 0 }, (same) => same)
    const seen: string[] = []
    const start = await reading.next()
    if (!start.done) seen.push(...linesOf(attempt, start.value).map(({ text }) => text))
    await sql`update log_heads set appended_at = now() - interval '2 minutes' where attempt_id = ${attempt.id}`.execute(
      db,
    )
    await packLogs(kit, never)
    assert.equal((await rowsOf(attempt)).length, 1)
    for await (const block of reading) seen.push(...linesOf(attempt, block).map(({ text }) => text))
    assert.deepEqual(seen, numbered(0, 30))
    const { rows } = await sql<{ is_packed: boolean }>`select is_packed from log_heads
      where attempt_id = ${attempt.id}`.execute(db)
    assert.deepEqual(rows, [{ is_packed: true }])
  })

  test('are packed in one go, however many short logs are silent: none waits for the next minute', async () => {
    for (let n = 0; n < 120; n++) {
      const attempt = await anAttempt(kit)
      await appendLines(db, [chunkOf(attempt, 0, numbered(0, 2))], NO_LIMITS)
    }
    await sql`update log_heads set appended_at = now() - interval '2 minutes'`.execute(db)
    await packLogs(kit, never)
    const { rows } = await sql`select attempt_id from log_heads where not is_packed`.execute(db)
    assert.deepEqual(rows, [])
  })

  test('leave room for the next: a table that is filled and packed again and again does not grow', async () => {
    const size = async () => {
      await sql`vacuum log_chunks`.execute(db)
      const { rows } = await sql<{ bytes: number }>`select pg_total_relation_size('log_chunks') as bytes`.execute(db)
      return rows[0]?.bytes ?? 0
    }
    const fill = async () => {
      const attempt = await anAttempt(kit)
      for (let first = 0; first < 200; first += 10) {
        const texts = numbered(first, 10).map(
          (text) => `${text} ${crypto.getRandomValues(new Uint8Array(900)).join('')}`,
        )
        await appendLines(db, [chunkOf(attempt, first, texts)], NO_LIMITS)
      }
      await packLog(kit, attempt.id, true, never)
      await sql`delete from attempts where id = ${attempt.id}`.execute(db)
    }
    await fill()
    await fill()
    const before = await size()
    for (let round = 0; round < 4; round++) {
      await fill()
      await size()
    }
    assert.ok((await size()) <= before * 1.2, 'what was packed is free')
  })
})

describe('old logs', () => {
  test('go whole, leave a mark, and make no room for lines that come late', async () => {
    const short = { ...kit, config: { ...kit.config, logRetentionDays: 30 } }
    const [old, young] = [await anAttempt(kit), await anAttempt(kit)]
    await write(old, 0)
    await write(young, 0)
    await sql`update log_heads set appended_at = now() - interval '31 days' where attempt_id = ${old.id}`.execute(db)
    await dropOldLogs({ ...short, config: { ...kit.config, logRetentionDays: 0 } }, never)
    assert.equal((await textsOf(old)).length, 10, 'they are kept for ever where that is wanted')
    await dropOldLogs(short, never)
    const lines = await storedLines(kit, old)
    assert.deepEqual(
      lines.map(({ number, gap }) => [number, gap]),
      [[0, { lines: 10, why: 'dropped' }]],
    )
    assert.deepEqual(await textsOf(young), numbered(0, 10))
    assert.equal((await appendLines(db, [chunkOf(old, 5, ['again'])], NO_LIMITS)).get(old.id), 10)
  })

  test('stay where one came at the last moment, and go with it when that is old', async () => {
    const attempt = await anAttempt(kit)
    await appendLines(db, [chunkOf(attempt, 0, numbered(0, 2))], NO_LIMITS)
    const now = kit.clock.now()
    const ago = new Date(now.getTime() - 1000)
    const age = () =>
      db.updateTable('log_heads').set({ appended_at: ago }).where('attempt_id', '=', attempt.id).execute()
    // The head was old when the job found it, and is no longer.
    await database.transaction((tx) => dropRows(tx, attempt.id, ago, now))
    assert.deepEqual(await textsOf(attempt), numbered(0, 2))
    await age()
    await database.transaction((tx) => dropRows(tx, attempt.id, now, now))
    await appendLines(db, [chunkOf(attempt, 2, ['late'])], NO_LIMITS)
    assert.equal((await textsOf(attempt)).at(-1), 'late')
    await age()
    await database.transaction((tx) => dropRows(tx, attempt.id, now, now))
    const marks = (await storedLines(kit, attempt)).map(({ number, gap }) => [number, gap])
    assert.deepEqual(marks, [[0, { lines: 3, why: 'dropped' }]])
  })
})
