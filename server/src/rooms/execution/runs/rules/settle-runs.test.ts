import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isNewer } from './newer-run.ts'
import { settleRuns } from './settle-runs.ts'
import type { RunChange, StandingRun } from './standing-run.ts'

const GROUP = 'deploy'

function aRun(at: number, more: Partial<StandingRun> = {}): StandingRun {
  return {
    id: `run-${String(at).padStart(4, '0')}`,
    status: 'queued',
    withheld: null,
    isCanceling: false,
    teamPath: 'acme/web',
    group: GROUP,
    onConflict: 'cancel_running',
    repository: 'acme/widgets',
    cloneUrl: 'https://git.example/acme/widgets.git',
    pullRequest: null,
    note: null,
    pipelineId: 'build',
    pipeline: 'acme/web/build',
    scope: 'acme/web/production',
    cause: 'event',
    eventId: `event-${at}`,
    commitSha: `commit-${at}`,
    ancestors: [],
    occurredAt: null,
    queuedAt: 1_000_000 + at,
    ...more,
  }
}

/** Runs as they may stand beside each other, of few commits and times, so that these meet. */
const someRuns: fc.Arbitrary<readonly StandingRun[]> = fc
  .array(
    fc.record({
      status: fc.constantFrom('queued', 'queued', 'running', 'paused'),
      withheld: fc.constantFrom(null, null, 'fork_approval'),
      isCanceling: fc.boolean(),
      teamPath: fc.constantFrom('acme/web', 'acme/api'),
      group: fc.constantFrom(GROUP, 'other', null),
      onConflict: fc.constantFrom('cancel_running', 'queue', 'skip'),
      pullRequest: fc.constantFrom(null, 7, 8),
      cause: fc.constantFrom('event', 'request', 'rerun', 'pipeline'),
      eventId: fc.constantFrom(null, 'e1', 'e2', 'e3'),
      commitSha: fc.constantFrom(null, 'a', 'b', 'c', 'd'),
      ancestors: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 2 }),
      occurredAt: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
      queuedAt: fc.integer({ min: 0, max: 4 }),
    }),
    { maxLength: 10 },
  )
  .map((runs) =>
    runs.map((run, at) => {
      const isHeld = run.withheld === 'fork_approval'
      const begun = isHeld ? { status: 'queued', pullRequest: run.pullRequest ?? 7 } : {}
      const queued = (isHeld || run.status === 'queued') && { isCanceling: false }
      return aRun(at, { ...run, ...begun, ...queued })
    }),
  )

/** The runs after a sequence of transactions, in each of which some runs arrive. */
function play(batches: readonly (readonly StandingRun[])[]): ReadonlyMap<string, StandingRun> {
  const standing = new Map<string, StandingRun>()
  for (const batch of batches) {
    for (const run of batch) standing.set(run.id, run)
    const changes = settleRuns({
      runs: [...standing.values()],
      given: batch.map((run) => run.id),
      arrived: true,
    })
    for (const change of changes) {
      const run = standing.get(change.id)
      if (!run || change.ends !== undefined) standing.delete(change.id)
      else standing.set(run.id, { ...run, withheld: change.waits ? 'group' : run.withheld })
    }
  }
  return standing
}

/** Runs of one group in any order, in batches of any size. */
function arrivals(runs: readonly StandingRun[]): fc.Arbitrary<readonly (readonly StandingRun[])[]> {
  return fc
    .tuple(fc.shuffledSubarray([...runs], { minLength: runs.length }), fc.array(fc.integer({ min: 1, max: 4 })))
    .map(([order, sizes]) => {
      const batches: (readonly StandingRun[])[] = []
      for (let from = 0; from < order.length; ) {
        const to = from + (sizes[batches.length] ?? 1)
        batches.push(order.slice(from, to))
        from = to
      }
      return batches
    })
}

const groupOf = (onConflict: string) =>
  fc
    .integer({ min: 1, max: 8 })
    .map((count) => Array.from({ length: count }, (_, at) => aRun(at, { onConflict, occurredAt: at })))
    .chain((runs) => arrivals(runs))

const settle = (runs: readonly StandingRun[], given: readonly StandingRun[], arrived = true): readonly RunChange[] =>
  settleRuns({ runs, given: given.map((run) => run.id), arrived })

describe('properties', () => {
  test('of a group whose runs cancel, the newest one survives, in whatever order and batches they arrive', () => {
    fc.assert(
      fc.property(groupOf('cancel_running'), (batches) => {
        const newest = batches.flat().reduce((one, other) => (isNewer(other, one) ? other : one))
        assert.deepEqual([...play(batches).keys()], [newest.id])
      }),
    )
  })

  test('of a group whose runs skip, the first one survives', () => {
    fc.assert(
      fc.property(groupOf('skip'), (batches) => {
        assert.deepEqual([...play(batches).keys()], [batches[0]?.[0]?.id])
      }),
    )
  })

  test('of a group whose runs queue, all survive and the first one has its turn', () => {
    fc.assert(
      fc.property(groupOf('queue'), (batches) => {
        const runs = [...play(batches).values()]
        assert.equal(runs.length, batches.flat().length)
        const turns = runs.filter((run) => run.withheld === null).map((run) => run.id)
        assert.deepEqual(turns, [batches[0]?.[0]?.id])
      }),
    )
  })

  test('nothing newer is ever ended by something older, unless it is of the same commit', () => {
    const last = someRuns.filter((runs) => runs.at(-1)?.status === 'queued')
    fc.assert(
      fc.property(last, fc.boolean(), (runs, arrived) => {
        const run = runs.at(-1)
        assert.ok(run)
        for (const { id, ends, cancels } of settle(runs, [run], arrived)) {
          const other = runs.find((one) => one.id === id)
          if (!other || other === run || (ends ?? cancels) === undefined) continue
          const isSame = other.commitSha !== null && other.commitSha === run.commitSha
          assert.ok(isSame || isNewer(other, run) !== true, `${run.id} ends ${id}`)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('the order in which the others are read does not matter', () => {
    const read = someRuns.chain((runs) =>
      fc.tuple(fc.constant(runs), fc.shuffledSubarray([...runs], { minLength: runs.length })),
    )
    fc.assert(
      fc.property(read, ([runs, shuffled]) => {
        const given = runs.slice(-3)
        const byId = (one: RunChange, other: RunChange) => (one.id < other.id ? -1 : 1)
        assert.deepEqual([...settle(shuffled, given)].sort(byId), [...settle(runs, given)].sort(byId))
      }),
    )
  })

  test('each run changes once at most, in a way that fits its status, and other groups never', () => {
    fc.assert(
      fc.property(someRuns, fc.integer({ min: 1, max: 4 }), (runs, count) => {
        const given = runs.slice(-count)
        const changes = settle(runs, given)
        assert.equal(new Set(changes.map((change) => change.id)).size, changes.length)
        for (const { id, ends, cancels, waits } of changes) {
          const run = runs.find((one) => one.id === id)
          assert.ok(run)
          assert.equal(ends === undefined || cancels === undefined, true)
          if (ends !== undefined || waits) assert.equal(run.status, 'queued')
          if (cancels !== undefined) assert.ok(run.status !== 'queued' && !run.isCanceling)
          const near = given.some(
            (one) =>
              one.teamPath === run.teamPath &&
              (one === run || one.group === run.group || one.pullRequest === run.pullRequest),
          )
          assert.ok(near, `${id} stands beside none of the given runs`)
        }
      }),
    )
  })

  test('a run that waits for the approval of a member changes nothing in its group', () => {
    fc.assert(
      fc.property(someRuns, (runs) => {
        const held = aRun(99, { withheld: 'fork_approval', pullRequest: 99 })
        assert.deepEqual(settle([...runs, held], [held]), [])
      }),
    )
  })

  test('of two runs at most one is newer', () => {
    fc.assert(
      fc.property(someRuns, (runs) => {
        for (const one of runs) for (const other of runs) assert.ok(!(isNewer(one, other) && isNewer(other, one)))
      }),
    )
  })
})

describe('one by one', () => {
  test('a newer run that waits for approval stays, also when somebody asks for an older commit', () => {
    const held = aRun(1, { withheld: 'fork_approval', pullRequest: 7, ancestors: ['commit-2'] })
    const asked = aRun(2, { cause: 'rerun', eventId: null })
    assert.deepEqual(settle([held, asked], [asked]), [])
  })

  test('a rerun ends no run of its pull request that waits for approval, in a group or not', () => {
    const held = aRun(1, { withheld: 'fork_approval', pullRequest: 7, group: null })
    const rerun = aRun(2, { cause: 'rerun', eventId: null, pullRequest: 7 })
    assert.deepEqual(settle([held, rerun], [rerun]), [])
  })

  test('of a pull request, a commit that is outdated ends itself alone', () => {
    const place = { withheld: 'fork_approval', pullRequest: 7 }
    const unknown = aRun(1, place)
    const newer = aRun(2, { ...place, ancestors: ['commit-3'] })
    const late = aRun(3, place)
    assert.deepEqual(settle([unknown, newer, late], [late]), [
      { id: late.id, ends: 'A newer commit of the pull request arrived.' },
    ])
    assert.deepEqual(settle([unknown, newer, late], [late], false), [])
  })

  test('a note that the run has already stays before the new one', () => {
    const other = aRun(1, { status: 'running' })
    const run = aRun(2, { note: 'The event came late.' })
    const note = `The event came late. Run ${other.id} of the group ${GROUP} goes on: whose commit is newer cannot be told.`
    assert.deepEqual(settle([other, run], [run]), [{ id: run.id, note }])
  })

  test('microseconds tell which event is later', () => {
    const first = aRun(1, { status: 'running', occurredAt: 1_700_000_000_000_001 })
    const second = aRun(2, { occurredAt: 1_700_000_000_000_002 })
    const cancels = `Run ${second.id} of the group ${GROUP} took its place.`
    assert.deepEqual(settle([first, second], [second]), [{ id: first.id, cancels }])
  })
})
