import { isTerminalRun, type RunState } from '@signalbox/pipeline/status'
import type { AttemptState } from '../../../../../../../runner/src/attempts/attempt-state.ts'

/**
 * One task, two runners, three leases, and everything that can happen to them, one thing at a time. The product's own code
 * decides the effect of reports and events, and when a runner takes its lease for ended. Only the tables and the wires are
 * simulated.
 */
export interface State {
  readonly run: RunState
  readonly rows: readonly Row[]
  readonly runners: readonly [Runner, Runner]
  readonly wire: readonly Message[]
  /** Crashes, stops and attempts that are handed back that may still come. */
  readonly faults: number
}

export interface Row {
  readonly number: number
  readonly status: string
  readonly fence: number
  readonly runner: number
  /** Ticks until the control plane believes the lease over. */
  readonly left: number
  readonly begun: boolean
}

export interface Runner {
  readonly hand: Hand | null
  readonly frozen: boolean
  /** Ticks since the newest thing was sent that the control plane has answered; with something in hand, its age says so. */
  readonly heard: number
}

export interface Hand {
  readonly fence: number
  readonly state: AttemptState
  /** Ticks since the lease was last renewed, as the runner knows it. */
  readonly age: number
  /** The report says that nothing had begun. */
  readonly handedBack?: true
}

export type Message =
  | { readonly kind: 'assign' | 'ack'; readonly to: number; readonly fence: number }
  | { readonly kind: 'started' | 'finished' | 'handed_back'; readonly from: number; readonly fence: number }
  | { readonly kind: 'beat'; readonly from: number; readonly fence: number; readonly age: number }
  | { readonly kind: 'kept' | 'lost'; readonly to: number; readonly fence: number; readonly age: number }

export function withHand(state: State, at: 0 | 1, hand: Hand | null): State {
  const runner = state.runners[at]
  const heard = hand === null ? (runner.hand?.age ?? runner.heard) : 0
  return withRunner(state, at, { ...runner, hand, heard })
}

export function withRunner(state: State, at: 0 | 1, runner: Runner): State {
  const [first, second] = state.runners
  return { ...state, runners: at === 0 ? [runner, second] : [first, runner] }
}

export function endOf(message: Message): number {
  return 'to' in message ? message.to : message.from
}

/** Where nothing is left to happen to the run. */
export function isEnd(state: State): boolean {
  return isTerminalRun(state.run.status)
}

/** The key of a state; states that differ only in irrelevant parts have the same key. */
export function keyOf({ run, rows, runners, wire, faults }: State): string {
  const task = run.steps[0]?.tasks[0]
  const table = rows.map(({ status, runner, left, begun }) => {
    return status === 'leased' ? `${runner}${left}${begun ? 'b' : ''}` : `${status[0]}${runner}`
  })
  const hands = runners.map(({ hand, frozen, heard }) => {
    return `${hand === null ? '' : `${hand.fence}${hand.state.phase[0]}${hand.handedBack ? 'n' : ''}${hand.age}`}${frozen ? 'f' : ''}h${heard}`
  })
  const messages = wire.map((message) => {
    return `${message.kind}${endOf(message)}${message.fence}${'age' in message ? message.age : ''}`
  })
  const where = `${run.status[0]}${task?.status[0]}${task?.attempt}${task?.handedBack}${run.lostAttempts}`
  return [where, ...table, ...hands, ...messages.toSorted(), faults].join(' ')
}
