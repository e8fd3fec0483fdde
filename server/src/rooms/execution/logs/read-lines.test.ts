import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LogQuery } from '@signalbox/contracts/logs'
import { createTestDatabase, createTestKit } from '#platform/testing'
import type { AttemptRow } from '#rooms/execution/runs'
import { appendLines } from './actions/append-lines.ts'
import { packLog } from './actions/pack-logs.ts'
import { readLines } from './actions/read-lines.ts'
import { readWanted } from './actions/read-wanted.ts'
import { anAttempt, chunkOf, NO_LIMITS, numbered } from './testing.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const db = database.kysely
const never = new AbortController().signal

/** All pages of a query, and how many there were. */
const read = async (attempts: readonly AttemptRow[], query: LogQuery) => {
  const wanted = readWanted(query)
  const first = await readLines(kit, attempts, query, { wanted, hide: (same) => same })
  const lines = [...first.lines]
  let pages = 1
  for (let { next } = first; next !== undefined && query.tail === undefined; pages++) {
    const page = await readLines(kit, attempts, { ...query, cursor: next }, { wanted, hide: (same) => same })
    lines.push(...page.lines)
    next = page.next
  }
  return { lines, numbers: lines.map(({ number }) => number), pages, next: first.next }
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

describe('the lines of one attempt', () => {
  let attempt: AttemptRow
  before(async () => {
    attempt = await anAttempt(kit)
    for (let first = 0; first < 100; first += 10) {
      const texts = numbered(first, 10).map((text) => (first === 40 ? { text, stream: 'stderr' } : text))
      await appendLines(db, [chunkOf(attempt, first, texts)], NO_LIMITS)
    }
    // Some rows large, some small: nobody who reads can tell.
    await packLog(kit, attempt.id, true, never)
    await appendLines(db, [chunkOf(attempt, 100, ['Straße nach Köln', 'ERROR: [it] failed', ''])], NO_LIMITS)
  })

  test('are the last ones, and pages go on from there towards the first', async () => {
    const tail = await read([attempt], { tail: 5 })
    assert.deepEqual(tail.numbers, range(98, 103))
    const back = await read([attempt], {
      direction: 'backward',
      limit: 30,
      ...(tail.next ? { cursor: tail.next } : {}),
    })
    assert.deepEqual(back.numbers, range(0, 98).toReversed())
    assert.equal(back.pages, 4)
  })

  test('come in pages of any size, from any line, in either direction, each once', async () => {
    for (const limit of [1, 7, 10, 200]) {
      assert.deepEqual((await read([attempt], { limit })).numbers, range(0, 103))
      assert.deepEqual((await read([attempt], { limit, direction: 'backward' })).numbers, range(0, 103).toReversed())
      assert.deepEqual(
        (await read([attempt], { limit, from: 95, direction: 'backward' })).numbers,
        range(95, 103).toReversed(),
      )
    }
    assert.deepEqual((await read([attempt], { from: 101 })).numbers, [101, 102])
    assert.deepEqual((await read([attempt], { from: 500 })).numbers, [])
  })

  test('are found by text in any case, also in a row with others and where letters are no ASCII', async () => {
    assert.deepEqual((await read([attempt], { search: 'LINE 42' })).numbers, [42])
    assert.deepEqual((await read([attempt], { search: 'NACH KÖLN' })).numbers, [100])
    assert.deepEqual((await read([attempt], { search: '[it]' })).numbers, [101])
    assert.deepEqual((await read([attempt], { search: 'LINE 42', case_sensitive: true })).numbers, [])
    assert.deepEqual((await read([attempt], { search: 'line 4', limit: 3 })).numbers, [4, ...range(40, 50)])
    assert.deepEqual((await read([attempt], { search: 'line 4', limit: 3, direction: 'backward' })).numbers, [
      ...range(40, 50).toReversed(),
      4,
    ])
    assert.deepEqual((await read([attempt], { search: 'line', tail: 2 })).numbers, [98, 99])
  })

  test('are told as soon as there are as many as were asked for, with where the search goes on', async () => {
    const find = async (query: LogQuery) => {
      const { lines, next } = await readLines(kit, [attempt], query, {
        wanted: readWanted(query),
        hide: (same) => same,
      })
      return [...lines.map(({ number }) => number), next]
    }
    assert.deepEqual(await find({ search: 'line 42', limit: 1 }), [42, `${attempt.id}:43`])
    assert.deepEqual(await find({ search: 'line 42', limit: 1, direction: 'backward' }), [42, `${attempt.id}:42`])
    assert.deepEqual(await find({ search: 'line 42', limit: 1, cursor: `${attempt.id}:43` }), [undefined])
    assert.deepEqual(await find({ stream: 'stderr', limit: 2 }), [40, 41, `${attempt.id}:42`])
  })

  test('are not found by what stands beside their text', async () => {
    assert.deepEqual((await read([attempt], { search: 'stdout' })).numbers, [])
  })

  test('are found by an expression', async () => {
    assert.deepEqual((await read([attempt], { regex: '^line [56]7$' })).numbers, [57, 67])
    assert.deepEqual((await read([attempt], { regex: '(?i)error' })).numbers, [101])
    assert.deepEqual((await read([attempt], { regex: 'error' })).numbers, [])
    assert.deepEqual((await read([attempt], { regex: '^$' })).numbers, [102])
    assert.deepEqual((await read([attempt], { regex: 'line 9', limit: 2, direction: 'backward' })).numbers, [
      ...range(90, 100).toReversed(),
      9,
    ])
  })

  test('are not searched by what is no expression, nor by two things at once', async () => {
    await assert.rejects(read([attempt], { regex: 'a(b' }), { code: 'log.expression_invalid' })
    await assert.rejects(read([attempt], { regex: '(?=a)' }), { code: 'log.expression_invalid' })
    await assert.rejects(read([attempt], { regex: 'a', search: 'a' }), { code: 'log.expression_invalid' })
  })

  test('are those of one stream', async () => {
    assert.deepEqual((await read([attempt], { stream: 'stderr' })).numbers, range(40, 50))
    assert.deepEqual((await read([attempt], { stream: 'stderr', search: '5' })).numbers, [45])
  })
})

test('an expression that would take for ever elsewhere is done, and a search over its time goes on by pages', async () => {
  const attempt = await anAttempt(kit)
  const texts = Array.from({ length: 40 }, (_, index) => `${'a'.repeat(30_000)}${index}`)
  await appendLines(db, [chunkOf(attempt, 0, texts)], NO_LIMITS)
  // The search reads the clock thousands of times for each of these lines, which takes 200 ms of this clock.
  let now = 0
  const clock = { ...kit.clock, monotonic: () => (now += 0.06) }
  const query = { regex: '(a+)+([bc]|[0-9]?[67])$' }
  const numbers: number[] = []
  let pages = 0
  for (let next: string | undefined = ''; next !== undefined; pages++) {
    const page = await readLines(
      { ...kit, clock },
      [attempt],
      { ...query, ...(next === '' ? {} : { cursor: next }) },
      { wanted: readWanted(query), hide: (same) => same },
    )
    numbers.push(...page.lines.map(({ number }) => number))
    next = page.next
  }
  assert.deepEqual(numbers, [6, 7, 16, 17, 26, 27, 36, 37])
  assert.ok(pages > 4, 'its time was up again and again')
})

test('an expression that takes too long for one line is told so, with the line', async () => {
  const attempt = await anAttempt(kit)
  const long = Array.from({ length: 60_000 }, (_, at) => ((at * at) % 7 < 3 ? 'a' : 'b')).join('')
  await appendLines(db, [chunkOf(attempt, 0, ['short', long, 'behind'])], NO_LIMITS)
  let now = 0
  const clock = { ...kit.clock, monotonic: () => (now += 1) }
  const search = (query: LogQuery) =>
    readLines({ ...kit, clock }, [attempt], query, { wanted: readWanted(query), hide: (same) => same })
  await assert.rejects(search({ regex: 'a.{999}[^ab]' }), {
    code: 'log.expression_invalid',
    message: new RegExp(`too long for line 1 of s/${attempt.task}, attempt 1`),
  })
  assert.deepEqual(
    (await search({ regex: 'b.*d', from: 2 })).lines.map(({ number }) => number),
    [2],
  )
})

describe('several attempts', () => {
  test('come one after the other, in the order in which they were made, and pages cross from one to the next', async () => {
    const first = await anAttempt(kit)
    const second = await anAttempt(kit, { runId: first.runId, number: 2 })
    const third = await anAttempt(kit, { runId: first.runId, number: 3 })
    await appendLines(db, [chunkOf(third, 0, numbered(0, 2)), chunkOf(first, 0, numbered(0, 3))], NO_LIMITS)
    const key = ({ attempt, number }: { attempt: AttemptRow; number: number }) => `${attempt.number}:${number}`
    const all = [first, second, third]
    for (const limit of [1, 2, 10]) {
      const { lines } = await read(all, { limit })
      assert.deepEqual(lines.map(key), ['1:0', '1:1', '1:2', '3:0', '3:1'])
      const back = await read(all, { limit, direction: 'backward' })
      assert.deepEqual(back.lines.map(key), ['3:1', '3:0', '1:2', '1:1', '1:0'])
    }
  })

  test('that lost their runner say at their end that lines may be missing', async () => {
    const lost = await anAttempt(kit, { status: 'lost', startedAt: kit.clock.now() })
    const unheard = await anAttempt(kit, { runId: lost.runId, number: 2, status: 'lost' })
    const next = await anAttempt(kit, { runId: lost.runId, number: 3 })
    await appendLines(db, [chunkOf(lost, 0, ['a']), chunkOf(next, 0, ['b'])], NO_LIMITS)
    const all = [lost, unheard, next]
    const marks = (lines: readonly { text: string; gap: unknown }[]) => lines.map(({ text, gap }) => gap ?? text)
    const mark = { lines: null, why: 'runner_lost' }
    for (const limit of [1, 5]) {
      assert.deepEqual(marks((await read(all, { limit })).lines), ['a', mark, 'b'])
      assert.deepEqual(marks((await read(all, { limit, direction: 'backward' })).lines), ['b', mark, 'a'])
    }
    assert.deepEqual(marks((await read(all, { tail: 2 })).lines), [mark, 'b'])
    assert.deepEqual(marks((await read(all, { search: 'a' })).lines), ['a'], 'a search shows what it found')
  })

  test('whose runner itself reported the loss, or handed them back, say nothing of missing lines', async () => {
    const begun = { status: 'lost', startedAt: kit.clock.now(), endReported: true } as const
    const broken = await anAttempt(kit, begun)
    const handedBack = await anAttempt(kit, { runId: broken.runId, number: 2, status: 'lost', endReported: true })
    await appendLines(db, [chunkOf(broken, 0, ['a']), chunkOf(handedBack, 0, ['b'])], NO_LIMITS)
    const { lines } = await read([broken, handedBack], {})
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['a', 'b'],
    )
  })
})
