import type { GraphTask } from '../graph/graph.ts'
import type { Ending, OutputValue, TaskState } from './state.ts'
import type { TaskFinished } from './transition.ts'

/** Attempts that a lost task marked `idempotent` gets in all: enough for a runner that dies and its successor. */
const IDEMPOTENT_ATTEMPTS = 3
/** Crashes of runners under one run after which it is stopped: it may be what kills them. */
export const MOST_LOST_ATTEMPTS = 3
/** A doubling wait ends growing here: one hour. */
const LONGEST_BACKOFF_MS = 3_600_000

/** A task that is handed back more often than this is treated as lost: no engine is away on so many runners. */
export const MOST_HANDED_BACK = 20

export type AttemptVerdict =
  | { readonly type: 'complete'; readonly fields: Partial<Omit<TaskState, 'name'>> }
  | { readonly type: 'again'; readonly delayMs: number; readonly fields: Again }

type Again = Pick<TaskState, 'reason' | 'exitCode' | 'handedBack'>

export interface AttemptPlight {
  /** Set while the run or the step is being ended: nothing is tried again then, and stopped tasks say so. */
  readonly interrupted: Ending | null
  readonly stepIgnoresFailure: boolean
  /** Such a loss ends the run. */
  readonly poisoned: boolean
  /** Earlier attempts of the task that were handed back. */
  readonly handedBack: number
}

/** Decides what the end of an attempt means for its task. */
export function attemptVerdict(task: GraphTask, event: TaskFinished, plight: AttemptPlight): AttemptVerdict {
  const { interrupted, stepIgnoresFailure, poisoned, handedBack } = plight
  const exitCode = event.exitCode ?? null
  if (event.result === 'success') {
    const outputs = declaredOutputs(task, event.outputs ?? {}, event.sensitive)
    return { type: 'complete', fields: { status: 'success', reason: null, exitCode, outputs } }
  }
  const reason = event.reason === '' ? defaultReason(event) : event.reason
  if (poisoned) return { type: 'complete', fields: { status: 'failure', reason, exitCode, blocks: true } }
  if (interrupted !== null && (event.result === 'canceled' || event.result === 'lost')) {
    // The task did not fail itself: the run did, and the failure stands there.
    const status = interrupted.status === 'timed_out' ? 'timed_out' : 'canceled'
    return { type: 'complete', fields: { status, reason: interrupted.reason, exitCode, blocks: true } }
  }
  if (event.result === 'canceled') {
    return { type: 'complete', fields: { status: 'canceled', reason, exitCode, blocks: true } }
  }
  if (interrupted === null && event.notBegun === true && handedBack < MOST_HANDED_BACK) {
    const why = `attempt ${event.attempt} had not begun and was handed back: ${reason}`
    return { type: 'again', delayMs: 0, fields: { reason: why, exitCode, handedBack: handedBack + 1 } }
  }
  const tries = event.attempt - handedBack
  if (interrupted === null && mayFollow(task, event, tries)) {
    const why = `attempt ${event.attempt} failed, trying again: ${reason}`
    return { type: 'again', delayMs: backoffAfter(task, tries), fields: { reason: why, exitCode, handedBack } }
  }
  const failed = failedFields(task, stepIgnoresFailure, event.result === 'timed_out' ? 'timed_out' : 'failure')
  return { type: 'complete', fields: { ...failed, reason: `${reason}${adviceAfter(task, event)}`, exitCode } }
}

/** The directive that would have saved a task that may not run twice from the loss of its runner. */
function adviceAfter({ idempotent, retry }: GraphTask, { result, notBegun }: TaskFinished): string {
  if (result !== 'lost' || notBegun === true || idempotent || retry.attempts > 1) return ''
  return '; it may have run in part, so it is not tried again: `idempotent: true` or `retry` on the task allows that'
}

/** A task that is ignored itself lets the tasks after it run; in an ignored step its failure still stops them. */
export function failedFields(
  task: GraphTask,
  stepIgnoresFailure: boolean,
  status: 'failure' | 'timed_out' = 'failure',
): Pick<TaskState, 'status' | 'blocks'> {
  if (!task.ignoreFailure && !stepIgnoresFailure) return { status, blocks: true }
  return { status: 'failure (ignored)', blocks: !task.ignoreFailure }
}

function mayFollow(task: GraphTask, event: TaskFinished, tries: number): boolean {
  if (event.result === 'lost') return mayFollowLoss(task, tries)
  const { attempts, exitCodes } = task.retry
  if (tries >= attempts) return false
  return exitCodes === null || (event.exitCode !== undefined && exitCodes.includes(event.exitCode))
}

/** Whether a task that is lost at this try (from 1) would be tried again. Attempts that were handed back are no tries. */
export function mayFollowLoss(task: GraphTask, tries: number): boolean {
  return tries < Math.max(task.idempotent ? IDEMPOTENT_ATTEMPTS : 1, task.retry.attempts)
}

/** The wait after a failed try (from 1), ms. */
export function backoffAfter(task: GraphTask, tries: number): number {
  return Math.min(task.retry.backoffMs * 2 ** (tries - 1), LONGEST_BACKOFF_MS)
}

/** The declared ones of these values; sensitive are those that are declared so, and those that were found to be. */
export function declaredOutputs(
  task: GraphTask,
  values: Readonly<Record<string, string>>,
  found: readonly string[] = [],
): Readonly<Record<string, OutputValue>> {
  const outputs: Record<string, OutputValue> = {}
  for (const [name, { sensitive }] of Object.entries(task.outputs)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value !== undefined) outputs[name] = { value, sensitive: sensitive || found.includes(name) }
  }
  return outputs
}

/** The declared ones of an earlier run's outputs; what was sensitive there stays so. */
export function reusedOutputs(
  task: GraphTask,
  earlier: Readonly<Record<string, OutputValue>>,
): Readonly<Record<string, OutputValue>> {
  const outputs: Record<string, OutputValue> = {}
  for (const [name, { sensitive }] of Object.entries(task.outputs)) {
    const output = Object.hasOwn(earlier, name) ? earlier[name] : undefined
    if (output !== undefined) outputs[name] = { value: output.value, sensitive: sensitive || output.sensitive }
  }
  return outputs
}

function defaultReason(event: TaskFinished): string {
  switch (event.result) {
    case 'timed_out':
      return 'the time limit of the task is over'
    case 'lost':
      return 'the runner was lost'
    case 'canceled':
      return 'the attempt was canceled'
    default:
      return event.exitCode === undefined ? 'the task failed' : `the task exited with code ${event.exitCode}`
  }
}
