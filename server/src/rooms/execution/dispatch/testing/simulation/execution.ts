import { type AttemptState, NEW_ATTEMPT } from '../../../../../../../runner/src/attempts/attempt-state.ts'
import type { Assignment, Result, Stream } from './network.ts'

/** The execution of one attempt on this runner, and its reports that are not sent yet. */
export interface Execution {
  readonly assignment: Assignment
  readonly runner: { readonly id: string }
  state: AttemptState
  /** True while the attempt's process lives. */
  running: boolean
  /** The runner was frozen while it had the attempt in hand, so nobody could end the attempt. */
  wasFrozen: boolean
  readonly lines: string[]
  acknowledged: number
  sent: number
  startedAt: number | undefined
  startedSent: boolean
  result: Result | undefined
  reportSent: boolean
  finishAcknowledged: boolean
}

export function newExecution(assignment: Assignment, runner: Execution['runner'], wasFrozen: boolean): Execution {
  return {
    assignment,
    runner,
    state: NEW_ATTEMPT,
    running: false,
    wasFrozen,
    lines: [],
    acknowledged: 0,
    sent: 0,
    startedAt: undefined,
    startedSent: false,
    result: undefined,
    reportSent: false,
    finishAcknowledged: false,
  }
}

/** Says what is to be said of it, in the order that the protocol asks for. */
export function say(execution: Execution, stream: Stream): void {
  const { fence } = execution.assignment
  if (execution.startedAt !== undefined && !execution.startedSent) {
    execution.startedSent = true
    stream.sendToPlane({ type: 'started', fence })
  }
  const lines = execution.lines.slice(execution.sent)
  if (lines.length > 0) stream.sendToPlane({ type: 'log', fence, firstLine: execution.sent, lines })
  execution.sent = execution.lines.length
  if (execution.result === undefined || execution.reportSent) return
  execution.reportSent = true
  const lineCount = execution.lines.length
  stream.sendToPlane({ type: 'finished', fence, result: execution.result, lineCount })
}
