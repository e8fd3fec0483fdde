import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Mark } from '../../house/marks.ts'
import type { AttemptPlace, History, LineSeen, Seen, Stored, StoredAttempt, StoredRun, Unstamped } from '../history.ts'
import { nameOf } from '../history.ts'
import { checkHistory } from './index.ts'

// A history without violations, and for each invariant a history that breaks that invariant alone.

const place: AttemptPlace = { runId: 'run-1', step: 'first', task: 'once', attempt: 1 }
const again: AttemptPlace = { runId: 'run-2', step: 'first', task: 'again', attempt: 1 }
const attempt = (more: Partial<StoredAttempt>): StoredAttempt => ({
  ...place,
  status: 'success',
  fence: 1,
  runner: 'runner-1',
  leasedAt: 0,
  finishedAt: 10,
  ...more,
})
const run = (more: Partial<StoredRun>): StoredRun => ({
  runId: 'run-1',
  status: 'success',
  commit: 'c1',
  cause: 'event',
  waitsFor: null,
  ...more,
})
const line = (number: number, more: Partial<LineSeen> = {}): LineSeen => ({
  ...place,
  number,
  text: `line ${number} ***`,
  stream: 'stdout',
  ...more,
})
const effect = (mark: string, at: number, more: Partial<Mark> = {}): Unstamped => ({
  kind: 'effect',
  effect: { ...place, mark, at, fence: 1, ...more },
})
const size = (when: 'before' | 'after', files: number, residentMb = 100): Unstamped => ({
  kind: 'size',
  size: { process: 'plane-1', when, files, residentMb },
})

const LINES = [line(0), line(1)]
const lost = attempt({ ...again, status: 'lost', fence: 2 })
const retried = attempt({ ...again, attempt: 2, fence: 3 })

const SEEN: readonly Unstamped[] = [
  size('before', 50),
  { kind: 'delivered', deliveryId: 'd1', commit: 'c1', status: undefined },
  { kind: 'delivered', deliveryId: 'd1', commit: 'c1', status: 202 },
  { kind: 'started', how: 'by_hand', status: 202, runId: 'run-3' },
  { kind: 'run', runId: 'run-1', status: 'queued' },
  { kind: 'run', runId: 'run-1', status: 'running' },
  { kind: 'attempt', attempt: { ...place, status: 'success' } },
  effect('begin', 1),
  effect('work', 2),
  effect('work', 3),
  effect('end', 4),
  effect('begin', 1000, { ...again, fence: 2 }),
  effect('work', 2000, { ...again, fence: 2 }),
  effect('begin', 9000, { ...again, attempt: 2, fence: 3 }),
  { kind: 'line', stream: 1, line: line(0) },
  { kind: 'line', stream: 1, line: line(1) },
  { kind: 'intruded', what: 'a token that nobody has', status: 401 },
  { kind: 'intruded', what: 'a token that nobody has', status: undefined },
  { kind: 'quiet', settledMs: 1 },
  size('after', 52),
]

const STORED: Stored = {
  deliveries: [{ deliveryId: 'd1', result: 'accepted', runIds: ['run-1', 'run-2'] }],
  runs: [run({}), run({ runId: 'run-2' }), run({ runId: 'run-3', commit: null, cause: 'request' })],
  attempts: [attempt({}), lost, retried],
  logs: new Map([[nameOf(place), LINES]]),
  outputs: new Map([['plane-1', 'ready']]),
  connections: 20,
}

function history(more: readonly Unstamped[] = [], stored: Partial<Stored> = {}, without = ''): History {
  const seen = [...SEEN.filter(({ kind }) => kind !== without), ...more].map((one, at): Seen => ({ ...one, at }))
  return {
    seen,
    stored: { ...STORED, ...stored },
    secrets: ['hidden-1'],
    bounds: { leaseMs: 10_000, residentMb: 512, connections: 40 },
  }
}

const broken = (one: History): string[] => [...new Set(checkHistory(one).map(({ invariant }) => invariant))]

/** Says which invariant each of these breaks, and no other one. */
const CASES: readonly (readonly [string, string, History])[] = [
  ['I1', 'a delivery that was taken is not stored', history([], { deliveries: [] })],
  [
    'I1',
    'a run of a delivery is not there',
    history([], { runs: STORED.runs.filter(({ runId }) => runId !== 'run-2') }),
  ],
  ['I1', 'a run that was promised is not there', history([{ kind: 'started', how: 'rerun', status: 202, runId: 'x' }])],
  ['I2', 'a delivery started a run too many', history([], { runs: [...STORED.runs, run({ runId: 'run-4' })] })],
  [
    'I2',
    'a delivery was accepted twice',
    history([], { deliveries: [...STORED.deliveries, { deliveryId: 'd1', result: 'accepted', runIds: [] }] }),
  ],
  ['I3', 'a result that was seen has changed', history([{ kind: 'attempt', attempt: { ...place, status: 'lost' } }])],
  ['I3', 'an attempt follows a success', history([], { attempts: [attempt({}), attempt({ attempt: 2, fence: 4 })] })],
  [
    'I3',
    'two attempts are open',
    history([], {
      attempts: [attempt({ status: 'leased' }), attempt({ attempt: 2, fence: 4, status: 'leased' })],
    }),
  ],
  ['I3', 'fences fall', history([], { attempts: [attempt({}), lost, { ...retried, fence: 1 }] })],
  ['I3', 'an earlier attempt works beside a later one', history([effect('work', 9500, { ...again, fence: 2 })])],
  ['I3', 'an attempt began twice', history([effect('begin', 6), effect('work', 7), effect('work', 8)])],
  [
    'I3',
    'an attempt that may be tried again began twice under its fence',
    history([effect('begin', 2500, { ...again, fence: 2 }), effect('work', 2600, { ...again, fence: 2 })]),
  ],
  ['I4', 'a run is over and runs again', history([{ kind: 'run', runId: 'run-1', status: 'failure' }])],
  ['I4', 'a run goes back into the queue', history([{ kind: 'run', runId: 'run-1', status: 'queued' }])],
  [
    'I5',
    'a run stays and says nothing',
    history([], { runs: [...STORED.runs, run({ runId: 'x', status: 'running', commit: 'c2' })] }),
  ],
  [
    'I5',
    'a process did not come back',
    history([{ kind: 'unrecovered', fault: 'plane_killed', target: 'plane-1', why: 'it waited' }]),
  ],
  [
    'I5',
    'a control plane ended by itself',
    history([{ kind: 'ended', process: 'plane-1', how: '1', said: 'an error' }]),
  ],
  [
    'I5',
    'a control plane stopped answering',
    history([{ kind: 'silent', process: 'plane-1', what: 'no answer', kept: 'a file' }]),
  ],
  ['I5', 'it never became quiet', history([], {}, 'quiet')],
  [
    'I6',
    'a line is missing in the middle',
    history([], { logs: new Map([[nameOf(place), [line(0), line(2)]]]) }, 'line'),
  ],
  [
    'I6',
    'a line is there twice',
    history([], { logs: new Map([[nameOf(place), [line(0), line(0), line(1)]]]) }, 'line'),
  ],
  ['I6', 'the last line is missing', history([], { logs: new Map([[nameOf(place), [line(0)]]]) }, 'line')],
  [
    'I6',
    'what the task counted is out of order',
    history(
      [],
      {
        logs: new Map([[nameOf(place), [line(0, { text: 'line 1' }), line(1, { text: 'line 0' })]]]),
      },
      'line',
    ),
  ],
  ['I6', 'a stream told a line twice', history([{ kind: 'line', stream: 1, line: line(1) }])],
  ['I6', 'a stream left out a line', history([{ kind: 'line', stream: 2, line: line(1) }])],
  ['I6', 'a stream told something else', history([{ kind: 'line', stream: 2, line: line(0, { text: 'other' }) }])],
  [
    'I6',
    'a log shows a secret',
    history([], {
      logs: new Map([[nameOf(place), [...LINES, line(2, { text: 'it is hidden-1' })]]]),
    }),
  ],
  ['I6', 'a process shows a secret', history([], { outputs: new Map([['runner-1', 'got hidden-1']]) })],
  ['I7', 'a wrong token got through', history([{ kind: 'intruded', what: 'a wrong token', status: 200 }])],
  ['I8', 'files are left open', history([size('after', 200)])],
  ['I8', 'memory has grown', history([size('after', 50, 900)])],
  ['I8', 'connections are left', history([], { connections: 60 })],
]

describe('the checker of histories', () => {
  test('finds nothing where all is well', () => {
    assert.deepEqual(checkHistory(history()), [])
  })

  for (const [invariant, what, wrong] of CASES) {
    test(`${invariant}: ${what}`, () => assert.deepEqual(broken(wrong), [invariant]))
  }

  test('a frozen machine may go on for a moment before it knows that it must not', () => {
    const stored = history([effect('work', 9500, { ...again, fence: 2 })])
    const frozen: Seen = { at: 2000, kind: 'fault', fault: 'runner_frozen', target: 'runner-1', until: 9400 }
    assert.deepEqual(checkHistory({ ...stored, seen: [...stored.seen, frozen] }), [])
  })

  test('what waits for a reason may stay', () => {
    const waiting = run({ runId: 'x', status: 'paused', waitsFor: 'approval of gate', commit: null, cause: 'request' })
    assert.deepEqual(checkHistory(history([], { runs: [...STORED.runs, waiting] })), [])
  })
})
