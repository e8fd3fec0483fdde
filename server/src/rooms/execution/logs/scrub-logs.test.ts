import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import type { RequestOrigin } from '#platform/http'
import { migrateJobs } from '#platform/jobs'
import { createTestDatabase, createTestKit, testCaller } from '#platform/testing'
import type { AttemptRow } from '#rooms/execution/runs'
import { appendLines } from './actions/append-lines.ts'
import { writeText } from './actions/download-lines.ts'
import { readHidden } from './actions/hide-values.ts'
import { packLog } from './actions/pack-logs.ts'
import { readLines } from './actions/read-lines.ts'
import { readWanted } from './actions/read-wanted.ts'
import { requestScrub, rewriteLogs, type ScrubNeeds, type ScrubWish } from './actions/scrub-logs.ts'
import { anAttempt, chunkOf, NO_LIMITS, storedLines } from './testing.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const db = database.kysely
const never = new AbortController().signal
await migrateJobs(database.connectionConfig.connectionString ?? '', kit.log)

const SECRET = 'hunter2-correct-horse'
const origin: RequestOrigin = { caller: testCaller(), address: '127.0.0.1', requestId: kit.ids.next() }
const RUN = {
  team_path: 'acme/web',
  status: 'running',
  reason: null,
  queued_at: kit.clock.now(),
  started_at: null,
  finished_at: null,
}
let attempts: AttemptRow[]
let isOver = true
let audited: unknown[] = []

const needs = (): ScrubNeeds => ({
  runs: {
    findVisible: async (_caller, id) => ({ ...RUN, id }),
    listAttempts: async () => attempts,
    isOver: async () => isOver,
  },
  audit: { record: async (_db, entry) => void audited.push(entry) },
  secrets: {
    read: async (_db, ref) =>
      ref === 'secret:acme/web/token'
        ? { values: [SECRET], secretId: undefined, versions: [] }
        : { unusable: 'There is no such secret.' },
  },
})

beforeEach(async () => {
  audited = []
  isOver = true
  const first = await anAttempt(kit)
  attempts = [first, await anAttempt(kit, { runId: first.runId, number: 2 })]
})

const [runId, one, two] = [() => attempts[0]?.runId ?? '', () => attempts[0], () => attempts[1]]
const must = <T>(value: T | undefined): T => {
  assert.ok(value !== undefined)
  return value
}
const write = (attempt: AttemptRow | undefined, first: number, ...texts: string[]) =>
  appendLines(db, [chunkOf(must(attempt), first, texts)], NO_LIMITS)
const scrub = (wish: ScrubWish) => requestScrub(kit, needs(), origin, runId(), wish)

/** All that a reader can have, by page, search and download. */
const shown = async () => {
  const { hide, automaton } = await readHidden(kit, db, runId())
  const page = await readLines(kit, attempts, {}, undefined, hide)
  const query = { search: SECRET }
  const found = await readLines(kit, attempts, query, readWanted(query, automaton !== undefined), hide)
  let download = ''
  for await (const piece of writeText(kit, attempts, hide)) download += piece
  return { texts: page.lines.map(({ text }) => text), found: found.lines.length, download }
}

/** Everything that is stored of the run's lines, as bytes. */
const stored = async () => {
  const rows = await db.selectFrom('log_chunks').select(['lines_zstd', 'attempt_id']).execute()
  const own = rows.filter((row) => attempts.some(({ id }) => id === row.attempt_id))
  return own.map(({ lines_zstd }) => (lines_zstd ? zstdDecompressSync(lines_zstd).toString('latin1') : '')).join('')
}

describe('a value that is scrubbed', () => {
  test('is hidden from every reader at once, and from what is stored when the job has run', async () => {
    await write(one(), 0, 'plain', `token=${SECRET}!`, `${Buffer.from(SECRET).toString('base64')} and ${SECRET}`)
    await packLog(kit, must(one()).id, true, never)
    await write(one(), 3, `late ${SECRET}`)
    await write(two(), 0, `again ${encodeURIComponent(`<${SECRET}>`)}`)
    assert.equal((await shown()).found, 4)
    await scrub({ values: [SECRET] })
    const before = await shown()
    assert.ok((await stored()).includes(SECRET), 'the job has not run')
    await rewriteLogs(kit, needs(), runId(), never)
    const after = await shown()
    for (const { texts, found, download } of [before, after]) {
      assert.equal(found, 0)
      assert.ok(!download.includes(SECRET))
      assert.deepEqual(texts, ['plain', 'token=***!', '*** and ***', 'late ***', 'again %3C***%3E'])
    }
    assert.ok(!(await stored()).includes(SECRET))
    const scrubs = await db.selectFrom('log_scrubs').selectAll().where('run_id', '=', runId()).execute()
    assert.deepEqual(
      scrubs.map(({ sealed_values, changed_lines }) => [sealed_values, changed_lines]),
      [[null, 4]],
      'the values are forgotten',
    )
  })

  test('is kept and told nowhere in clear', async () => {
    await write(one(), 0, SECRET)
    await scrub({ values: [SECRET] })
    const scrubs = await db.selectFrom('log_scrubs').select('sealed_values').where('run_id', '=', runId()).execute()
    assert.ok(!Buffer.from(scrubs[0]?.sealed_values ?? '').includes(SECRET))
    assert.ok(!JSON.stringify(audited).includes(SECRET))
    assert.equal(audited.length, 1)
  })

  test('stays hidden in lines that come while the run goes on, until it is over', async () => {
    isOver = false
    await write(one(), 0, SECRET)
    await scrub({ secret: 'acme/web/token' })
    await rewriteLogs(kit, needs(), runId(), never)
    await write(one(), 1, `more ${SECRET}`)
    assert.deepEqual((await shown()).texts, ['***', 'more ***'])
    isOver = true
    await rewriteLogs(kit, needs(), runId(), never)
    assert.ok(!(await stored()).includes(SECRET))
    assert.deepEqual((await shown()).texts, ['***', 'more ***'])
  })

  test('is rewritten by the next when a process dies in the middle of a row', async () => {
    await write(one(), 0, `a ${SECRET}`)
    await write(one(), 1, `b ${SECRET}`)
    await scrub({ values: [SECRET] })
    const dying = {
      ...kit,
      failPoints: {
        hit() {
          throw new Error('killed')
        },
      },
    }
    await assert.rejects(rewriteLogs(dying, needs(), runId(), never), /killed/)
    assert.deepEqual((await shown()).texts, ['a ***', 'b ***'])
    await rewriteLogs(kit, needs(), runId(), never)
    assert.ok(!(await stored()).includes(SECRET))
    assert.deepEqual((await shown()).texts, ['a ***', 'b ***'])
  })

  test('is found by a search for what hides it, in packed rows too', async () => {
    await write(one(), 0, `a ${SECRET}`, 'b')
    await packLog(kit, must(one()).id, true, never)
    await scrub({ values: [SECRET] })
    await rewriteLogs(kit, needs(), runId(), never)
    const query = { search: 'a ***' }
    const { hide } = await readHidden(kit, db, runId())
    assert.equal((await readLines(kit, attempts, query, readWanted(query), hide)).lines.length, 1)
  })

  test('must be one: without any, or with a secret that is not to be used, nothing happens', async () => {
    await assert.rejects(scrub({}), { code: 'log.nothing_to_scrub' })
    await assert.rejects(scrub({ secret: 'acme/web/other' }), { code: 'log.secret_unusable' })
  })

  test('leaves every other line as it was: number, time, stream and text', async () => {
    const text = fc.oneof(fc.constant(SECRET), fc.string({ unit: 'grapheme', maxLength: 40 }))
    const line = fc.array(text, { maxLength: 3 }).map((parts) => parts.join('').toWellFormed())
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), fc.boolean(), async (texts, pack) => {
        const first = await anAttempt(kit)
        attempts = [first]
        await appendLines(db, [chunkOf(first, 0, texts)], NO_LIMITS)
        if (pack) await packLog(kit, first.id, true, never)
        const before = await storedLines(kit, first)
        await scrub({ values: [SECRET] })
        await rewriteLogs(kit, needs(), runId(), never)
        const after = await storedLines(kit, first)
        assert.deepEqual(
          after,
          before.map((each) => ({ ...each, text: each.text.replaceAll(SECRET, '***') })),
        )
      }),
      { numRuns: 20 },
    )
  })
})
