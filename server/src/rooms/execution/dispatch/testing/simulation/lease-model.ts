import type { Graph } from '@signalbox/pipeline/graph'
import { advanceAll, type RunEvent, type RunState, startRun } from '@signalbox/pipeline/status'
import type { AttemptReport } from '#rooms/execution/runs'
import { aGraph, aStep, aTask } from '../../../../../../../pipeline/src/status/testing/index.ts'
import { NEW_ATTEMPT, transition } from '../../../../../../../runner/src/attempts/attempt-state.ts'
import { LeaseClock } from '../../../../../../../runner/src/lease/lease-clock.ts'
import { fateOf } from '../../rules/greeting.ts'
import type { InboxItem } from '../../rules/inbox.ts'
import { readItem } from '../../rules/read-item.ts'
import { context } from './decide.ts'
import {
  endOf,
  type Hand,
  isEnd,
  type Message,
  type Row,
  type Runner,
  type State,
  withHand,
  withRunner,
} from './lease-state.ts'

export interface LeaseRules {
  /** A message about a fence whose lease has ended counts for nothing. */
  readonly fencesAreCompared: boolean
  /** A runner ends what may follow elsewhere when its lease is over in its own eyes. */
  readonly runnersKeepToTheirLease: boolean
  /** A lease runs from the moment at which its renewal was sent, not from the one at which it was answered. */
  readonly leasesRunFromSending: boolean
  /** A lease is taken away only once it is over. */
  readonly leasesAreAwaited: boolean
}

export const keptRules: LeaseRules = {
  fencesAreCompared: true,
  runnersKeepToTheirLease: true,
  leasesRunFromSending: true,
  leasesAreAwaited: true,
}

const LEASE_TICKS = 2
const TICK_MS = 7_500
const MOST_LEASES = 3
const MOST_MESSAGES = 2
const graph: Graph = aGraph(aStep('s', { tasks: [aTask('t', { idempotent: true })] }))

export function begin(): State {
  const { state } = startRun(graph, context)
  const runner: Runner = { hand: null, frozen: false, heard: 0 }
  return { run: state, rows: [], runners: [runner, runner], wire: [], faults: 1 }
}

export interface Move {
  readonly name: string
  readonly to: State
}

/** All that can happen next. */
export function moves(state: State, rules: LeaseRules): Move[] {
  const next: Move[] = []
  const add = (name: string, to: State | undefined) => {
    if (to !== undefined && to.wire.length <= MOST_MESSAGES) next.push({ name, to })
  }
  // A run that is over is moved by what is still under way, if by anything.
  if (!isEnd(state)) addAllButArrivals(state, rules, add)
  for (const [position, message] of state.wire.entries()) {
    const wire = state.wire.toSpliced(position, 1)
    const name = `${message.kind} ${message.fence}`
    // A dropped heartbeat has the effect of a heartbeat that was never sent.
    if (message.kind !== 'beat') add(`${name} is dropped`, { ...state, wire })
    const to = 'to' in message ? message.to : undefined
    if (to !== undefined && state.runners[to === 0 ? 0 : 1].frozen) continue
    add(`${name} arrives`, deliver({ ...state, wire }, message, rules))
    // A result is said again by a runner that is not sure, and may arrive long after.
    if (message.kind === 'finished' || message.kind === 'handed_back')
      add(`${name} arrives, and again later`, deliver(state, message, rules))
  }
  return next
}

function addAllButArrivals(state: State, rules: LeaseRules, add: (name: string, to: State | undefined) => void): void {
  add('time passes', tick(state, rules))
  for (const row of state.rows) {
    if (row.status !== 'leased' || (rules.leasesAreAwaited && row.left > 0)) continue
    add(`lease ${row.fence} is lost`, lose(state, row))
  }
  for (const at of [0, 1] as const) {
    const runner = state.runners[at]
    add(`attempt is given to runner ${at}`, give(state, at))
    if (state.faults > 0 && !runner.frozen) {
      add(`runner ${at} is stopped`, {
        ...withRunner(state, at, { ...runner, frozen: true }),
        faults: state.faults - 1,
      })
      add(`runner ${at} crashes and comes back`, greet({ ...withHand(state, at, null), faults: state.faults - 1 }, at))
    }
    if (runner.frozen) {
      add(`runner ${at} goes on`, watch(withRunner(state, at, { ...runner, frozen: false }), at, rules))
      continue
    }
    if (runner.hand !== null || state.wire.some((message) => endOf(message) === at)) {
      add(`runner ${at} connects anew`, greet(state, at))
    }
    if (runner.hand !== null) for (const { name, to } of movesOfHand(state, at, runner.hand)) add(name, to)
  }
}

function movesOfHand(state: State, at: 0 | 1, hand: Hand): Move[] {
  const { fence } = hand
  const say = (to: State, message: Message): State => ({ ...to, wire: [...to.wire, message] })
  switch (hand.state.phase) {
    case 'preparing': {
      const begun = withHand(state, at, { ...hand, state: transition(hand.state, { kind: 'started' }).state })
      return [
        { name: `task ${fence} begins`, to: say(begun, { kind: 'started', from: at, fence }) },
        ...handBack(state, at, hand),
        ...beat(state, at, fence),
      ]
    }
    case 'running': {
      const ended = transition(hand.state, { kind: 'ended' }).state
      const reported = withHand(state, at, { ...hand, state: transition(ended, { kind: 'collected' }).state })
      return [
        { name: `task ${fence} ends`, to: say(reported, { kind: 'finished', from: at, fence }) },
        ...beat(state, at, fence),
      ]
    }
    case 'reported':
      return [
        { name: `task ${fence} is reported again`, to: say(state, { kind: reportOf(hand), from: at, fence }) },
        ...beat(state, at, fence),
      ]
    case 'finishing':
    case 'gone':
      return []
    default:
      return hand.state.phase satisfies never
  }
}

/** In place of a crash: with both there were more states than anybody waits for; the simulation has them together. */
function handBack(state: State, at: 0 | 1, hand: Hand): Move[] {
  if (state.faults === 0) return []
  const { fence } = hand
  const ended = transition(hand.state, { kind: 'ended' }).state
  const reported = { ...hand, state: transition(ended, { kind: 'collected' }).state, handedBack: true } as const
  const after = withHand(state, at, reported)
  return [
    {
      name: `task ${fence} is handed back`,
      to: { ...after, faults: 0, wire: [...after.wire, { kind: 'handed_back', from: at, fence }] },
    },
  ]
}

function countHandedBack({ run }: State): number {
  return run.steps[0]?.tasks[0]?.handedBack ?? 0
}

function reportOf({ handedBack }: Hand): 'finished' | 'handed_back' {
  return handedBack ? 'handed_back' : 'finished'
}

/** One at a time: the next one says no more than this one. */
function beat(state: State, at: 0 | 1, fence: number): Move[] {
  if (state.wire.some((message) => 'age' in message && endOf(message) === at)) return []
  const sent: Message = { kind: 'beat', from: at, fence, age: 0 }
  return [{ name: `runner ${at} sends a heartbeat`, to: { ...state, wire: [...state.wire, sent] } }]
}

function tick(state: State, rules: LeaseRules): State {
  // Ages stop at the lease: beyond that, the exact age does not matter.
  const older = (age: number) => Math.min(age + 1, LEASE_TICKS)
  const rows = state.rows.map((row) => (row.status === 'leased' ? { ...row, left: Math.max(0, row.left - 1) } : row))
  const wire = state.wire.map((message) => ('age' in message ? { ...message, age: older(message.age) } : message))
  const age = ({ hand, frozen, heard }: Runner): Runner => {
    return hand ? { frozen, heard, hand: { ...hand, age: older(hand.age) } } : { frozen, heard: older(heard), hand }
  }
  const aged: State = { ...state, rows, wire, runners: [age(state.runners[0]), age(state.runners[1])] }
  return watch(watch(aged, 0, rules), 1, rules)
}

/** The lease watch of a runner comes often between two ticks, unless the runner is stopped. */
function watch(state: State, at: 0 | 1, rules: LeaseRules): State {
  const { hand, frozen } = state.runners[at]
  if (hand === null || frozen || !rules.runnersKeepToTheirLease || !overAt[hand.age]) return state
  const { state: after } = transition(hand.state, { kind: 'lease_over' })
  return withHand(state, at, after.phase === 'gone' ? null : { ...hand, state: after })
}

/** Whether the lease is over in the eyes of its runner, by its age in ticks; asked once of the real clock. */
const overAt: readonly boolean[] = Array.from({ length: LEASE_TICKS + 1 }, (_, age) => {
  const clock = new LeaseClock()
  clock.grant((LEASE_TICKS * TICK_MS) / 1_000)
  clock.begin(1n, 0)
  // The share of the lease that the lease watch keeps for itself.
  return clock.expired(age * TICK_MS, -0.1 * LEASE_TICKS * TICK_MS).length > 0
})

function give(state: State, at: 0 | 1): State | undefined {
  const task = state.run.steps[0]?.tasks[0]
  if (task?.status !== 'ready' || state.rows.length >= MOST_LEASES + countHandedBack(state)) return undefined
  // The runners differ in nothing until one of them has the first.
  if (state.rows.length === 0 && at === 1) return undefined
  if (state.rows.some((row) => row.number === task.attempt)) return undefined
  const fence = state.rows.length + 1
  const row: Row = { number: task.attempt, status: 'leased', fence, runner: at, left: LEASE_TICKS, begun: false }
  return { ...state, rows: [...state.rows, row], wire: [...state.wire, { kind: 'assign', to: at, fence }] }
}

function deliver(state: State, message: Message, rules: LeaseRules): State {
  const { kind, fence } = message
  switch (kind) {
    case 'assign': {
      const at = message.to === 0 ? 0 : 1
      const { hand, heard } = state.runners[at]
      // In hand, or told before: the same fence is taken once.
      if (hand !== null) return state
      return watch(withHand(state, at, { fence, state: NEW_ATTEMPT, age: heard }), at, rules)
    }
    case 'ack': {
      const at = message.to === 0 ? 0 : 1
      const { hand } = state.runners[at]
      return hand?.fence === fence && hand.state.phase === 'reported' ? withHand(state, at, null) : state
    }
    case 'kept':
    case 'lost': {
      const at = message.to === 0 ? 0 : 1
      const runner = state.runners[at]
      const age = rules.leasesRunFromSending ? message.age : 0
      if (runner.hand === null) return withRunner(state, at, { ...runner, heard: Math.min(runner.heard, age) })
      if (runner.hand.fence !== fence) return state
      return withHand(state, at, kind === 'lost' ? null : { ...runner.hand, age: Math.min(runner.hand.age, age) })
    }
    case 'beat': {
      const row = state.rows.find((one) => one.fence === fence)
      const kept = row?.status === 'leased' && row.runner === message.from
      const rows = state.rows.map((one) => (kept && one === row ? { ...one, left: LEASE_TICKS } : one))
      const answer = { kind: kept ? 'kept' : 'lost', to: message.from, fence, age: message.age } as const
      return { ...state, rows, wire: [...state.wire, answer] }
    }
    case 'started':
    case 'finished':
    case 'handed_back':
      return report(state, kind, { from: message.from, fence }, rules)
    default:
      return kind satisfies never
  }
}

type Report = 'started' | 'finished' | 'handed_back'

function report(
  state: State,
  kind: Report,
  { from, fence }: { readonly from: number; readonly fence: number },
  rules: LeaseRules,
): State {
  const theirs = state.rows.find((row) => row.fence === fence && row.status === 'leased')
  const row = theirs ?? (rules.fencesAreCompared ? undefined : state.rows.find(({ status }) => status === 'leased'))
  const answered: State =
    kind === 'started' ? state : { ...state, wire: [...state.wire, { kind: 'ack', to: from, fence }] }
  if (row === undefined) return answered
  const assignment = {
    fence: row.fence,
    attemptId: String(row.number),
    runId: 'r',
    step: 's',
    task: 't',
    number: row.number,
  }
  const nothing = { reason: '', outputs: {}, startedAt: null } as const
  const success = { result: 'success', exitCode: 0, ...nothing } as const
  const handedBack = { result: 'lost', exitCode: null, ...nothing, notBegun: true } as const
  const finished = kind === 'handed_back' ? handedBack : success
  const at = new Date(0)
  const runnerId = String(from)
  return tell(
    answered,
    row,
    kind === 'started'
      ? { kind, runnerId, assignment, at, arrivedAt: at, images: [] }
      : { kind: 'finished', runnerId, assignment, finished },
  )
}

function lose(state: State, row: Row): State {
  const assignment = { attemptId: String(row.number), runId: 'r', step: 's', task: 't', number: row.number }
  return tell(state, row, {
    kind: 'lost',
    runnerId: String(row.runner),
    assignment,
    reason: 'silent',
    ifExpired: false,
  })
}

/** Applies an item as the dispatcher does: the report to its row, the event to the run. */
function tell(state: State, row: Row, item: InboxItem): State {
  const reports = new Map<string, AttemptReport>()
  const event: RunEvent | undefined = readItem(
    item,
    { waiting: new Set(), expired: new Set(), children: new Map(), at: new Date(0) },
    reports,
  )
  const { run } = state
  const after = event === undefined ? run : advanceOnce(run, event)
  const status = reports.get(String(row.number))?.status ?? row.status
  const begun = row.begun || item.kind === 'started'
  return { ...state, run: after, rows: state.rows.map((one) => (one === row ? { ...one, status, begun } : one)) }
}

const advanced = new Map<RunState, Map<string, RunState>>()

/** The engine, asked once for each state and event. */
function advanceOnce(run: RunState, event: RunEvent): RunState {
  const known = advanced.get(run) ?? new Map<string, RunState>()
  advanced.set(run, known)
  const key = JSON.stringify(event)
  const after = known.get(key) ?? advanceAll(graph, run, [event], context).state
  known.set(key, after)
  return after
}

/** Hello and Welcome: the attempts in hand are compared with the tables. Messages on the old stream are lost. */
function greet(state: State, at: 0 | 1): State {
  const { hand } = state.runners[at]
  const wire = state.wire.filter((message) => endOf(message) !== at)
  let next: State = { ...state, wire }
  const mine = state.rows.find((row) => row.fence === hand?.fence && row.runner === at)
  if (hand !== null && mine?.status !== 'leased') {
    // A result that is stored is acknowledged; what is lost is killed.
    next = withHand(next, at, null)
  }
  for (const row of state.rows) {
    if (row.status !== 'leased' || row.runner !== at) continue
    const renewed = { ...row, left: LEASE_TICKS }
    next = { ...next, rows: next.rows.map((one) => (one === row ? renewed : one)) }
    const inHand = row.fence === hand?.fence
    const fate = fateOf({ status: row.status, isLeased: true, inHand, hasBegun: row.begun })
    if (hand !== null && fate === 'goes_on') next = withHand(next, at, { ...hand, age: 0 })
    else if (fate === 'lost') next = lose(next, renewed)
    else if (fate === 'again') next = { ...next, wire: [...next.wire, { kind: 'assign', to: at, fence: row.fence }] }
  }
  const greeted = next.runners[at]
  return greeted.hand === null ? withRunner(next, at, { ...greeted, heard: 0 }) : next
}
