import assert from 'node:assert/strict'
import { after as afterAll, beforeEach, describe, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { RequestOrigin } from '#platform/http'
import { migrateJobs } from '#platform/jobs'
import { Problem } from '#platform/problems'
import { createTestDatabase, createTestKit, testCaller, until } from '#platform/testing'
import type { Clock } from '#platform/time'
import type { AttemptRow } from '#rooms/execution/runs'
import { openRuns } from '../runs/testing.ts'
import { appendLines } from './actions/append-lines.ts'
import { readAll, writeText } from './actions/download-lines.ts'
import { readHidden, rememberHidden } from './actions/hide-values.ts'
import { packLog } from './actions/pack-logs.ts'
import { readLines } from './actions/read-lines.ts'
import { readWanted } from './actions/read-wanted.ts'
import { requestScrub, rewriteLogs, type ScrubWish } from './actions/scrub-logs.ts'
import type { Means } from './means.ts'
import { closeLogs } from './store/scrubs.ts'
import { anAttempt, chunkOf, NO_LIMITS, storedLines } from './testing.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const below = await openRuns(kit)
afterAll(() => below.close())
const db = database.kysely
const never = new AbortController().signal
await migrateJobs(database.connectionConfig.connectionString ?? '', kit.log)

const SECRET = 'hunter2-correct-horse'
const origin: RequestOrigin = { caller: testCaller(), address: '127.0.0.1', requestId: kit.ids.next() }
const RUN = {
  team_path: 'acme/web',
  status: 'running' as const,
  reason: null,
  queued_at: kit.clock.now(),
  started_at: null,
  finished_at: null,
}
const STANDING = {
  status: 'success',
  withheld: null,
  reason: null,
  teamPath: 'acme/web',
  pullRequest: null,
  initiatorKind: 'user',
  initiatorId: 'u',
  originId: '',
  pipeline: 'acme/web/build',
  scope: 'acme/web/production',
  repository: null,
  cloneUrl: null,
  ref: null,
  commitSha: null,
  deliveryRecordId: null,
  startedAt: null,
  cancelRequestedAt: null,
}
let attempts: AttemptRow[]
let isOver = true
/** Long enough after the end of the run and its last line. */
let isSilent = true
const finishedAt = (): Date | null => (isOver ? kit.clock.now() : null)
let audited: unknown[] = []

const means = (): Means => ({
  ...kit,
  runs: {
    ...below.runs,
    findVisible: async (_caller, id) => ({ ...RUN, id }),
    listAttempts: async () => attempts,
    findStanding: async (_db, id) => ({ ...STANDING, id, finishedAt: finishedAt() }),
  },
  audit: { ...below.audit, record: async (_db, entry) => void audited.push(entry) },
  secrets: {
    ...below.secrets,
    read: async (_db, ref) =>
      ref === 'secret:acme/web/token'
        ? { values: [SECRET], secretId: undefined, versions: [] }
        : { unusable: 'There is no such secret.' },
  },
})

beforeEach(async () => {
  audited = []
  isOver = true
  isSilent = true
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
const HOUR_MS = 3_600_000
const later: Clock = { ...kit.clock, now: () => new Date(kit.clock.now().getTime() + HOUR_MS) }
const rewrite = () => rewriteLogs(isSilent ? { ...means(), clock: later } : means(), runId(), never)
const scrub = (wish: ScrubWish) => requestScrub(means(), origin, runId(), wish)

/** All that a reader can have, by page, search and download. */
const shown = async () => {
  const { hide, patterns } = await readHidden(kit, db, runId())
  const page = await readLines(kit, attempts, {}, { wanted: undefined, hide })
  const query = { search: SECRET }
  const found = await readLines(kit, attempts, query, { wanted: readWanted(query, patterns !== undefined), hide })
  let download = ''
  for await (const piece of writeText(attempts, readAll(kit, attempts, { stream: undefined, hide }))) download += piece
  return { texts: page.lines.map(({ text }) => text), found: found.lines.length, download }
}

/** Everything that is stored of the run's lines, as bytes. */
const stored = async () => {
  const rows = await db.selectFrom('log_chunks').select(['lines_zstd', 'attempt_id']).execute()
  const own = rows.filter((row) => attempts.some(({ id }) => id === row.attempt_id))
  return own.map(({ lines_zstd }) => (lines_zstd ? zstdDecompressSync(lines_zstd).toString('latin1') : '')).join('')
}

describe('a value that is scrubbed', () => {
  test('is hidden in forms that go over several lines, each line of which keeps its number', async () => {
    const base64 = Buffer.from(`user:${SECRET}`).toString('base64')
    const dump = [
      '00000000: 7573 6572 3a68 756e 7465 7232 2d63 6f72  user:hunter2-cor',
      '00000010: 7265 6374 2d68 6f72 7365            rect-horse',
    ]
    await write(one(), 0, 'before', base64.slice(0, 15), base64.slice(15), 'between', ...dump, 'after')
    await scrub({ values: [SECRET] })
    const { texts } = await shown()
    assert.deepEqual(texts.toSpliced(1, 1), ['before', '***', 'between', '00000000: 7573 6572 3a***', '***', 'after'])
    assert.match(texts[1] ?? '', /^.{7}\*{3}$/)
    await rewrite()
    assert.deepEqual((await shown()).texts, texts)
    assert.ok(!(await stored()).includes('rect-horse'))
  })

  test('is hidden from every reader at once, and from what is stored when the job has run', async () => {
    await write(one(), 0, 'plain', `token=${SECRET}!`, `${Buffer.from(SECRET).toString('base64')} and ${SECRET}`)
    await packLog(kit, must(one()).id, true, never)
    await write(one(), 3, `late ${SECRET}`)
    await write(two(), 0, `again ${encodeURIComponent(`<${SECRET}>`)}`)
    assert.equal((await shown()).found, 4)
    await scrub({ values: [SECRET] })
    const before = await shown()
    assert.ok((await stored()).includes(SECRET), 'the job has not run')
    await rewrite()
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
    await rewrite()
    await write(one(), 1, `more ${SECRET}`)
    assert.deepEqual((await shown()).texts, ['***', 'more ***'])
    isOver = true
    await rewrite()
    assert.ok(!(await stored()).includes(SECRET))
    assert.deepEqual((await shown()).texts, ['***', 'more ***'])
  })

  test('stays hidden in lines that a lost runner sends when the run is over, and these are rewritten', async () => {
    await write(one(), 0, SECRET)
    await scrub({ values: [SECRET] })
    isSilent = false
    await rewrite()
    await write(one(), 1, `late ${SECRET}`)
    assert.deepEqual((await shown()).texts, ['***', 'late ***'])
    isSilent = true
    await rewrite()
    assert.ok(!(await stored()).includes(SECRET))
    assert.deepEqual((await shown()).texts, ['***', 'late ***'])
  })

  test('is not stored anew once it is forgotten: lines of any attempt are acknowledged and marked as missing', async () => {
    await write(one(), 0, SECRET)
    await scrub({ values: [SECRET] })
    await rewrite()
    assert.equal((await write(one(), 1, SECRET, SECRET)).get(must(one()).id), 3)
    assert.equal((await write(two(), 0, SECRET)).get(must(two()).id), 1, 'it had no line before')
    assert.ok(!(await stored()).includes(SECRET))
    const page = await readLines(kit, attempts, {}, { wanted: undefined, hide: (same) => same })
    assert.deepEqual(
      page.lines.map(({ text, gap }) => gap ?? text),
      ['***', { lines: 2, why: 'scrubbed' }, { lines: 1, why: 'scrubbed' }],
    )
  })

  test('is not stored by a statement that began before the log was closed', async () => {
    const attempt = must(one())
    await write(attempt, 0, 'first')
    const appended = await database.transaction(async (tx) => {
      await closeLogs(tx, [attempt.id], kit.clock.now())
      const appending = write(attempt, 1, SECRET)
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await until(
        'the statement to wait for the log',
        async () => (await waiting.execute(db)).rows.length,
        (count) => count > 0,
      )
      return { appending }
    })
    assert.equal((await appended.appending).get(attempt.id), 2)
    assert.ok(!(await stored()).includes(SECRET))
  })

  test('with several lines is hidden line by line, as a runner masks it', async () => {
    const key = ['-----BEGIN KEY-----', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'x=', '-----END KEY-----']
    await write(one(), 0, 'cat key.pem', ...key, `as one: ${JSON.stringify(key.join('\n'))}`)
    await scrub({ values: [`${key.join('\r\n')}\n`] })
    const before = (await shown()).texts
    await rewrite()
    const texts = (await shown()).texts
    assert.deepEqual(texts, before)
    assert.deepEqual(texts.slice(0, 5), ['cat key.pem', '***', '***', 'x=', '***'])
    assert.ok(!texts[5]?.includes('MIIEvQ'))
    assert.ok(!(await stored()).includes('MIIEvQ'))
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
    await assert.rejects(rewriteLogs({ ...means(), ...dying }, runId(), never), /killed/)
    assert.deepEqual((await shown()).texts, ['a ***', 'b ***'])
    await rewrite()
    assert.ok(!(await stored()).includes(SECRET))
    assert.deepEqual((await shown()).texts, ['a ***', 'b ***'])
  })

  test('is found by a search for what hides it, in packed rows too', async () => {
    await write(one(), 0, `a ${SECRET}`, 'b')
    await packLog(kit, must(one()).id, true, never)
    await scrub({ values: [SECRET] })
    await rewrite()
    const query = { search: 'a ***' }
    const { hide } = await readHidden(kit, db, runId())
    assert.equal((await readLines(kit, attempts, query, { wanted: readWanted(query), hide })).lines.length, 1)
  })

  test('must be one: without any, or with a secret that is not to be used, nothing happens', async () => {
    const named = (field: string) => (error: unknown) => error instanceof Problem && error.errors?.[0]?.field === field
    await assert.rejects(scrub({}), named('values'))
    await assert.rejects(scrub({ secret: 'acme/web/other' }), { code: 'log.secret_unusable' })
    for (const secret of ['acme/web/other', 'secret:acme/web/other', 'env:PATH', 'nothing', '']) {
      await assert.rejects(scrub({ secret }), named('secret'), secret)
    }
    await scrub({ secret: 'secret:acme/web/token' })
  })

  test('must not be so long, with those that are hidden already, that hiding it would stop the process', async () => {
    await scrub({ values: ['x'.repeat(65_536)] })
    const tooMuch = { code: 'log.scrub_too_large', message: /131073 bytes would be hidden/ }
    await assert.rejects(scrub({ values: ['y'.repeat(32_768), 'é'.repeat(16_384), 'z'] }), tooMuch)
    await scrub({ values: ['y'.repeat(65_536)] })
  })

  test('is made ready once for all who read, and not remembered when it is forgotten', async () => {
    await scrub({ values: [SECRET] })
    const known = rememberHidden()
    const first = await readHidden(kit, db, runId(), known)
    assert.equal(await readHidden(kit, db, runId(), known), first)
    await scrub({ values: ['another value'] })
    const second = await readHidden(kit, db, runId(), known)
    assert.equal(second.scrubIds.length, 2)
    assert.deepEqual([...known.values()], [second])
    await rewrite()
    assert.equal((await readHidden(kit, db, runId(), known)).key, '')
    assert.equal(known.size, 0)
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
        await rewrite()
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
