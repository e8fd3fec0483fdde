import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { createTestDatabase, createTestKit, until } from '#platform/testing'
import type { AttemptRow, Runs } from '#rooms/execution/runs'
import { openRuns } from '../runs/testing.ts'
import { appendLines } from './actions/append-lines.ts'
import { type Followed, type FollowedLine, followLines } from './actions/follow-lines.ts'
import { packLog } from './actions/pack-logs.ts'
import { Watches } from './actions/watch-run.ts'
import type { Means } from './means.ts'
import { readPosition, START } from './rules/follow-position.ts'
import { anAttempt, chunkOf, NO_LIMITS, numbered } from './testing.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const below = await openRuns(kit)
after(() => below.close())
const db = database.kysely
const never = new AbortController().signal
let attempt: AttemptRow
let isOver = false
let asked = 0

const runs: Runs = {
  ...below.runs,
  listAttempts: async () => {
    asked += 1
    return [attempt]
  },
  isOver: async () => isOver,
}
const means: Means = { ...kit, ...below, runs }

beforeEach(async () => {
  attempt = await anAttempt(kit)
  isOver = false
  asked = 0
})

const append = (first: number, count: number) =>
  appendLines(db, [chunkOf(attempt, first, numbered(first, count))], NO_LIMITS)

/** Follows in the background; `lines` grows. */
const follow = (watches: Watches, position = START, query = {}, newOnly = false) => {
  const leaving = new AbortController()
  const lines: FollowedLine[] = []
  const ready = Promise.withResolvers<void>()
  const away = Promise.withResolvers<void>()
  const done = (async () => {
    for await (const some of followLines(
      kit,
      watches,
      { runId: attempt.runId, query, start: position, newOnly },
      leaving.signal,
    )) {
      if (some === 'ready') ready.resolve()
      else if (some === 'away') away.resolve()
      else lines.push(...some)
    }
  })()
  return { lines, done, ready: ready.promise, away: away.promise, leave: () => leaving.abort() }
}
const textsOf = (some: Followed) => (typeof some === 'string' ? [] : some.map(({ line }) => line.entry.line))
const toHave = (follower: { lines: readonly FollowedLine[] }, count: number) =>
  until(
    `${count} lines`,
    () => follower.lines.length,
    (length) => length >= count,
  )

describe('those who follow a log', () => {
  test('see each line once, also when rows are packed under them and they come back to another process', async () => {
    const [here, there] = [new Watches(means), new Watches(means)]
    await append(0, 5)
    await append(5, 5)
    const first = follow(here)
    await toHave(first, 10)
    await packLog(kit, attempt.id, true, never)
    await append(10, 5)
    await toHave(first, 15)
    first.leave()
    await first.done
    for (const at of [0, 7, 14]) {
      const again = follow(there, readPosition(first.lines[at]?.position, kit.clock.now().getTime()))
      await append(15, 1)
      await toHave(again, 15 - at)
      again.leave()
      await again.done
      assert.deepEqual(textsOf([...first.lines.slice(0, at + 1), ...again.lines]), numbered(0, 16))
    }
    assert.deepEqual([here.size, there.size], [0, 0], 'nobody is left, and nothing is watched')
  })

  test('share one reader, however many they are', async () => {
    const watches = new Watches(means)
    const beganAt = kit.clock.monotonic()
    await append(0, 3)
    const followers = Array.from({ length: 50 }, () => follow(watches))
    await Promise.all(followers.map((follower) => toHave(follower, 3)))
    for (let first = 3; first < 13; first++) await append(first, 1)
    await Promise.all(followers.map((follower) => toHave(follower, 13)))
    assert.equal(watches.size, 1)
    // Besides it looks every other second, for what nobody told.
    const besides = (kit.clock.monotonic() - beganAt) / 2000
    assert.ok(asked < 50 + besides, `the tables were looked at ${asked} times for 50 followers`)
    isOver = true
    await Promise.all(followers.map(({ done }) => done))
    for (const { lines } of followers) assert.deepEqual(textsOf(lines), numbered(0, 13))
    assert.equal(watches.size, 0)
  })

  test('are not held back by one who does not read, who misses nothing', async () => {
    const watches = new Watches(means)
    await append(0, 2)
    const slow = followLines(kit, watches, { runId: attempt.runId, query: {}, start: START }, never)
    const seen = textsOf((await slow.next()).value ?? [])
    const quick = follow(watches)
    for (let first = 2; first < 8; first++) await append(first, 1)
    await toHave(quick, 8)
    isOver = true
    await quick.done
    for await (const some of slow) seen.push(...textsOf(some))
    assert.deepEqual(seen, numbered(0, 8))
  })

  test('are told what is missing, once, also when they come back', async () => {
    const watches = new Watches(means)
    await append(0, 1)
    await appendLines(db, [{ ...chunkOf(attempt, 4, ['line 4']), afterLoss: true }], NO_LIMITS)
    attempt = { ...attempt, status: 'lost', startedAt: kit.clock.now(), finishedAt: kit.clock.now() }
    isOver = true
    const whole = follow(watches)
    await whole.done
    const marks = whole.lines.map(({ line }) => line.entry.gap ?? line.entry.line)
    const expected = ['line 0', { lines: 3, why: 'lost' }, 'line 4', { lines: null, why: 'runner_lost' }]
    assert.deepEqual(marks, expected)
    for (const [at, { position }] of whole.lines.entries()) {
      const rest = follow(watches, readPosition(position, kit.clock.now().getTime()))
      await rest.done
      assert.deepEqual(
        rest.lines.map(({ line }) => line.entry.gap ?? line.entry.line),
        expected.slice(at + 1),
      )
    }
  })

  test('miss nothing of attempts that ended before one that was read first, wherever they come back', async () => {
    const endedAgo = (ms: number) => ({ finishedAt: new Date(kit.clock.now().getTime() - ms) })
    const long = await anAttempt(kit, endedAgo(20_000))
    const others = [
      await anAttempt(kit, { ...endedAgo(60_000), runId: long.runId }),
      await anAttempt(kit, { ...endedAgo(40_000), runId: long.runId }),
      await anAttempt(kit, { ...endedAgo(30_000), runId: long.runId }),
    ]
    const all = [long, ...others]
    for (const one of all) await appendLines(db, [chunkOf(one, 0, [`${one.task} 0`, `${one.task} 1`])], NO_LIMITS)
    const watches = new Watches({
      ...means,
      runs: { ...runs, listAttempts: async () => all, isOver: async () => true },
    })
    attempt = long
    const whole = follow(watches)
    await whole.done
    const texts = textsOf(whole.lines)
    assert.equal(texts.length, 8)
    for (const [at, { position }] of whole.lines.entries()) {
      const rest = follow(watches, readPosition(position, kit.clock.now().getTime()))
      await rest.done
      assert.deepEqual(textsOf(rest.lines), texts.slice(at + 1), position)
    }
  })

  test('of very many attempts at once come back with an id that fits into a header, and to the long ones where they were', async () => {
    await append(0, 2)
    isOver = true
    const tails = Array.from({ length: 2000 }, (_, at) => at.toString(16).padStart(12, '0'))
    const next = new Map(tails.map((tail, at) => [tail, 1 + at]))
    const follower = follow(new Watches(means), { covered: 0, next })
    await follower.done
    const [{ position } = { position: '' }] = follower.lines
    assert.ok(position.length < 12_000, `${position.length} characters`)
    const kept = readPosition(position, kit.clock.now().getTime()).next
    assert.equal(kept.get(attempt.id.slice(-12)), 1)
    assert.deepEqual([...kept.values()].toSorted((a, b) => b - a).slice(0, 2), [2000, 1999])
  })

  test('of one attempt are done when that has ended, though the run goes on', async () => {
    await append(0, 2)
    attempt = { ...attempt, finishedAt: kit.clock.now() }
    const query = { step: attempt.step, task: attempt.task, attempt: 1 }
    const follower = follow(new Watches(means), START, query)
    await follower.done
    assert.deepEqual(textsOf(follower.lines), numbered(0, 2))
  })

  test('who want new lines only are told from when on each one comes, and go on behind the last', async () => {
    await append(0, 300)
    const watches = new Watches(means)
    const follower = follow(watches, START, {}, true)
    await follower.ready
    await append(300, 2)
    await toHave(follower, 2)
    assert.deepEqual(textsOf(follower.lines), numbered(300, 2))
    follower.leave()
    await append(302, 2)
    isOver = true
    const again = follow(watches, readPosition(follower.lines[0]?.position, kit.clock.now().getTime()))
    await again.done
    assert.deepEqual(textsOf(again.lines), numbered(301, 3))
  })

  test('who want new lines only are told that the database is away, once, and of every line when it is back', async () => {
    let isAway = false
    const away: Runs = {
      ...runs,
      isOver: async () => {
        if (isAway) throw new Error('Connection terminated unexpectedly')
        return isOver
      },
    }
    const watches = new Watches({ ...means, runs: away })
    const follower = follow(watches, START, {}, true)
    const other = follow(watches)
    await follower.ready
    isAway = true
    await append(0, 2)
    await follower.away
    assert.deepEqual(textsOf(other.lines), [])
    isAway = false
    await toHave(follower, 2)
    isOver = true
    await Promise.all([follower.done, other.done])
    assert.deepEqual([textsOf(follower.lines), textsOf(other.lines)], [numbered(0, 2), numbered(0, 2)])
  })
})
