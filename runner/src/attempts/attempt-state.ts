import { Result } from '@signalbox/contracts/runner'
import type { ProcessEnd } from '../processes/running-process.ts'

/**
 * The phases of an attempt. preparing: workspace and checkout. running: the task's process lives. finishing: the runner
 * collects last lines and outputs. reported: the result waits for its acknowledgement. gone: the attempt has left
 * nothing here.
 */
export type Phase = 'preparing' | 'running' | 'finishing' | 'reported' | 'gone'

export interface Stop {
  why: 'canceled' | 'timed_out' | 'failed'
  reason: string
}

export interface AttemptState {
  readonly phase: Phase
  readonly stop: Stop | undefined
}

export type AttemptEvent =
  | { kind: 'started' }
  | { kind: 'stop'; stop: Stop }
  | { kind: 'ended' }
  | { kind: 'collected' }
  | { kind: 'acknowledged' }
  | { kind: 'lost' }
  | { kind: 'lease_over' }

/** terminate: SIGTERM now and SIGKILL after the grace; kill: SIGKILL now; forget: drop lines and result. */
export type AttemptEffect = 'terminate' | 'collect' | 'report' | 'kill' | 'forget'

export interface Transition {
  state: AttemptState
  effects: readonly AttemptEffect[]
}

export const NEW_ATTEMPT: AttemptState = { phase: 'preparing', stop: undefined }

/** Events change the state of an attempt; an event that has no meaning in the phase changes nothing. */
export function transition(state: AttemptState, event: AttemptEvent): Transition {
  const to = (phase: Phase, ...effects: AttemptEffect[]): Transition => ({ state: { ...state, phase }, effects })
  const stay: Transition = { state, effects: [] }
  const { phase } = state
  switch (event.kind) {
    case 'started':
      return phase === 'preparing' ? to('running') : stay
    case 'stop':
      if (state.stop !== undefined || (phase !== 'preparing' && phase !== 'running')) return stay
      return { state: { phase, stop: event.stop }, effects: ['terminate'] }
    case 'ended':
      return phase === 'preparing' || phase === 'running' ? to('finishing', 'collect') : stay
    case 'collected':
      return phase === 'finishing' ? to('reported', 'report') : stay
    case 'acknowledged':
      return phase === 'reported' ? to('gone', 'forget') : stay
    // Another runner may have the task by now, so this one reports nothing. The fence judges a result that is already
    // there.
    case 'lease_over':
      return phase === 'preparing' || phase === 'running' ? to('gone', 'kill', 'forget') : stay
    case 'lost':
      if (phase === 'gone') return stay
      return phase === 'preparing' || phase === 'running' ? to('gone', 'kill', 'forget') : to('gone', 'forget')
  }
}

export interface Verdict {
  result: Result
  exitCode: number | undefined
  reason: string
  notBegun?: true
}

/** The result of an attempt whose process ended like this. A stop that came before the end decides. */
export function verdict(stop: Stop | undefined, end: ProcessEnd): Verdict {
  const exitCode = end.kind === 'exited' ? end.exitCode : undefined
  switch (stop?.why) {
    case 'canceled':
      return { result: Result.CANCELED, exitCode, reason: stop.reason }
    case 'timed_out':
      return { result: Result.TIMED_OUT, exitCode, reason: stop.reason }
    case 'failed':
      return { result: Result.FAILURE, exitCode, reason: stop.reason }
    case undefined:
      break
  }
  switch (end.kind) {
    case 'exited':
      return end.exitCode === 0
        ? { result: Result.SUCCESS, exitCode, reason: '' }
        : { result: Result.FAILURE, exitCode, reason: end.reason ?? `The script ended with exit code ${end.exitCode}.` }
    case 'signaled':
      return { result: Result.FAILURE, exitCode, reason: `The script was ended by ${end.signal}.` }
    case 'not_started':
    case 'failed':
      return { result: Result.FAILURE, exitCode, reason: end.reason }
    case 'broken_off':
      return { result: Result.LOST, exitCode, reason: end.reason }
    case 'not_begun':
      return { result: Result.LOST, exitCode, reason: end.reason, notBegun: true }
  }
}
