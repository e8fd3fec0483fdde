import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { LogDownloadQuery } from '@signalbox/contracts/logs'
import { Patterns } from '@signalbox/pipeline/masking'
import fc from 'fast-check'
import { createTestDatabase, createTestKit } from '#platform/testing'
import type { AttemptRow } from '#rooms/execution/runs'
import { appendLines } from './actions/append-lines.ts'
import { readAll, readParts, searchAll, writeBlocks, writeNdjson, writeText } from './actions/download-lines.ts'
import type { Hide } from './actions/read-blocks.ts'
import type { Line } from './actions/read-lines.ts'
import { readWanted } from './actions/read-wanted.ts'
import { UnpackedLines } from './actions/unpack-lines.ts'
import { scrubLines } from './rules/scrub-lines.ts'
import { anAttempt, chunkOf, NO_LIMITS, numbered } from './testing.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const db = database.kysely

const download = (attempts: readonly AttemptRow[], query: LogDownloadQuery = {}) =>
  query.search === undefined && query.regex === undefined
    ? readAll(kit, attempts, { stream: query.stream, hide: (same) => same })
    : searchAll(kit, attempts, query, { wanted: readWanted(query), hide: (same) => same })
const plainly = (attempts: readonly AttemptRow[]) =>
  readParts(kit, attempts, { stream: undefined, hide: (same) => same })
const joined = async (pieces: AsyncIterable<string | Buffer>) => {
  let all = ''
  for await (const piece of pieces) all += piece
  return all
}

/** A download as a reader decodes it block by block: `<number> <text>` of plain lines, and the entries. */
function readBlocksOf(sent: string): unknown[] {
  const found: unknown[] = []
  const bytes = Buffer.from(sent)
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at)
    const head = end > at ? JSON.parse(bytes.toString('utf8', at, end)) : undefined
    at = end + 1
    if (head?.bytes === undefined) {
      if (head) found.push(head)
      continue
    }
    const lines = bytes.toString('utf8', at, at + head.bytes).split('\n')
    assert.equal(lines.pop(), '')
    assert.equal(lines.length, head.lines)
    found.push(
      ...lines.map((line, index) => `${head.step}/${head.task} ${head.attempt}:${head.number + index} ${line}`),
    )
    at += head.bytes
  }
  return found
}

describe('a download by blocks', () => {
  test('holds plain lines as they are, and all others as the entries of the API', async () => {
    const attempt = await anAttempt(kit, { status: 'lost', startedAt: kit.clock.now() })
    const texts = ['a', '', 'grüße 日本', '::group::x', 'b', 'two\nlines', '{"bytes":3}', '\u001b[2Jc']
    await appendLines(db, [chunkOf(attempt, 0, texts)], NO_LIMITS)
    const found = readBlocksOf(await joined(writeBlocks(plainly([attempt]))))
    assert.deepEqual(readBlocksOf(await joined(writeBlocks(await download([attempt])))), found)
    const plain = (number: number, text: string) => `s/${attempt.task} 1:${number} ${text}`
    const entries = (await joined(writeNdjson(await download([attempt])))).trimEnd().split('\n')
    const entry = (number: number) => JSON.parse(entries[number] ?? '')
    assert.deepEqual(found, [
      plain(0, 'a'),
      plain(1, ''),
      plain(2, 'grüße 日本'),
      entry(3),
      plain(4, 'b'),
      entry(5),
      plain(6, '{"bytes":3}'),
      plain(7, '\u001b[2Jc'),
      entry(8),
    ])
    assert.deepEqual([entry(3).fold.title, entry(5).line, entry(8).gap.why], ['x', 'two\nlines', 'runner_lost'])
  })

  test('tells attempts apart', async () => {
    const first = await anAttempt(kit)
    const second = await anAttempt(kit, { runId: first.runId, number: 2 })
    await appendLines(db, [chunkOf(first, 0, ['a']), chunkOf(second, 0, ['b'])], NO_LIMITS)
    assert.deepEqual(readBlocksOf(await joined(writeBlocks(plainly([first, second])))), [
      `s/${first.task} 1:0 a`,
      `s/${second.task} 2:0 b`,
    ])
  })
})

describe('a download of all lines', () => {
  type Write = (attempts: readonly AttemptRow[], parts: ReturnType<typeof readParts>) => AsyncIterable<string | Buffer>
  const FORMS: readonly Write[] = [writeText, (_, parts) => writeBlocks(parts)]
  const word = new Patterns(['word'])
  const hideWord: Hide = (lines) => {
    const scrubbed = lines.index && scrubLines(lines.bytes, lines.index, word)
    return scrubbed && lines.index ? new UnpackedLines(scrubbed.bytes, lines.index.count) : lines
  }

  test('is the same from bytes as line by line, whatever the lines hold', async () => {
    const line = fc.record({
      text: fc.oneof(
        fc.constantFrom(
          '',
          '::group::a',
          '::endgroup::',
          '##[x',
          'section_end:1:a',
          ':',
          's',
          'a\nb',
          '\n',
          '日本 ß',
          'a word',
        ),
        fc.string({ unit: 'binary', maxLength: 6 }),
      ),
      stream: fc.constantFrom('stdout', 'stderr'),
      continued: fc.boolean(),
    })
    const chunks = fc.array(fc.array(line, { minLength: 1, maxLength: 8 }), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(chunks, chunks, fc.constantFrom('lost', 'success'), async (some, others, status) => {
        const first = await anAttempt(kit, { startedAt: kit.clock.now(), status })
        const second = await anAttempt(kit, { runId: first.runId, number: 2 })
        for (const [attempt, sent] of [
          [first, some],
          [second, others],
        ] as const) {
          let next = 0
          for (const texts of sent) {
            await appendLines(db, [chunkOf(attempt, next, texts)], NO_LIMITS)
            next += texts.length
          }
        }
        const attempts = [first, second]
        for (const hide of [(same: UnpackedLines) => same, hideWord]) {
          for (const stream of [undefined, 'stdout'] as const) {
            for (const write of FORMS) {
              const fromBytes = await joined(write(attempts, readParts(kit, attempts, { stream, hide })))
              assert.equal(fromBytes, await joined(write(attempts, readAll(kit, attempts, { stream, hide }))))
              const query = stream === undefined ? {} : { stream }
              const searched = await searchAll(kit, attempts, query, { wanted: undefined, hide })
              // A row without a line of the stream is an empty line of a download by blocks.
              const read = write === FORMS[1] ? readBlocksOf : (sent: string) => sent
              assert.deepEqual(read(fromBytes), read(await joined(write(attempts, searched))))
            }
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test('is UTF-8 even where a runner sent other bytes', async () => {
    const attempt = await anAttempt(kit)
    const chunk = chunkOf(attempt, 0, ['aXb', 'c'])
    const bytes = zstdDecompressSync(chunk.linesZstd)
    bytes[bytes.indexOf('X')] = 0x9b
    await appendLines(db, [{ ...chunk, linesZstd: zstdCompressSync(bytes) }], NO_LIMITS)
    assert.equal(await joined(writeText([attempt], plainly([attempt]))), 'a\ufffdb\nc\n')
    assert.deepEqual(readBlocksOf(await joined(writeBlocks(plainly([attempt])))), [
      `s/${attempt.task} 1:0 a\ufffdb`,
      `s/${attempt.task} 1:1 c`,
    ])
  })
})

describe('a download of some lines', () => {
  test('is all pages of the search, in each form', async () => {
    const attempt = await anAttempt(kit)
    // More than one page takes.
    for (let first = 0; first < 24_000; first += 2000) {
      const texts = numbered(first, 2000).map((text, at) => (at % 2 === 0 ? text : { text, stream: 'stderr' }))
      await appendLines(db, [chunkOf(attempt, first, texts)], NO_LIMITS)
    }
    const even = Array.from({ length: 12_000 }, (_, index) => `line ${index * 2}`)
    const query = { stream: 'stdout' } as const
    assert.equal(await joined(writeText([attempt], await download([attempt], query))), `${even.join('\n')}\n`)
    assert.deepEqual(
      readBlocksOf(await joined(writeBlocks(await download([attempt], query)))),
      even.map((text, index) => `s/${attempt.task} 1:${index * 2} ${text}`),
    )
    const found = readBlocksOf(await joined(writeBlocks(await download([attempt], { regex: ' 123[45]$' }))))
    assert.deepEqual(
      found,
      [1234, 1235].map((number) => `s/${attempt.task} 1:${number} line ${number}`),
    )
  })

  test('joins no lines that were apart', async () => {
    const attempt = await anAttempt(kit)
    const cut = (text: string) => ({ text, stream: 'stdout', continued: true })
    await appendLines(db, [chunkOf(attempt, 0, [cut('ab'), cut('cd'), 'x', 'e', cut('bf')])], NO_LIMITS)
    assert.equal(await joined(writeText([attempt], plainly([attempt]))), 'abcdx\ne\nbf\n')
    assert.equal(await joined(writeText([attempt], await download([attempt], { search: 'b' }))), 'ab\nbf\n')
  })

  test('is refused before it begins, or ends with the reason', async () => {
    const attempt = await anAttempt(kit)
    const long = Array.from({ length: 60_000 }, (_, at) => ((at * at) % 7 < 3 ? 'a' : 'b')).join('')
    await appendLines(db, [chunkOf(attempt, 0, [long])], NO_LIMITS)
    let now = 0
    const slow = { ...kit, clock: { ...kit.clock, monotonic: () => (now += 1) } }
    const search = (attempts: readonly AttemptRow[]) =>
      searchAll(slow, attempts, {}, { wanted: readWanted({ regex: 'a.{999}[^ab]' }), hide: (same) => same })
    await assert.rejects(search([attempt]), { code: 'log.expression_invalid' })

    async function* broken(): AsyncGenerator<readonly Line[]> {
      yield* await search([attempt])
    }
    const { problem } = JSON.parse(await joined(writeBlocks(broken())))
    assert.deepEqual([problem.status, problem.code], [400, 'log.expression_invalid'])
    assert.match(problem.detail, /too long for line 0/)
  })
})
