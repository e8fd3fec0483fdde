/** Statuses of a run that this engine sets. */
export type RunStatus = 'queued' | 'running' | FinalRunStatus
export type FinalRunStatus = 'success' | 'failure' | 'warning' | 'timed_out' | 'canceled'

export type TaskStatus =
  | 'pending'
  | 'ready'
  | 'running'
  | 'success'
  | 'failure'
  | 'failure (ignored)'
  | 'skipped'
  | 'canceled'
  | 'timed_out'

export type StepStatus = Exclude<TaskStatus, 'failure (ignored)'> | 'warning'

export interface OutputValue {
  readonly value: string
  readonly sensitive: boolean
}

export interface TaskState {
  readonly name: string
  readonly status: TaskStatus
  /** Number of the newest attempt; 0 before the first. A `pending` task with an attempt waits for its next one. */
  readonly attempt: number
  /** One sentence for a person; null where the status says it all. */
  readonly reason: string | null
  readonly exitCode: number | null
  readonly outputs: Readonly<Record<string, OutputValue>>
  /** True when what depends on this task must be skipped. */
  readonly blocks: boolean
  /** Dependencies that are not complete yet. */
  readonly waitsFor: number
}

export interface StepState {
  readonly name: string
  readonly status: StepStatus
  readonly reason: string | null
  readonly blocks: boolean
  readonly waitsFor: number
  /** Tasks that are not complete yet. */
  readonly open: number
  /** Set once the step's own time is over: what still runs is being ended for this reason. */
  readonly timedOut: string | null
  /** In the order of the graph. */
  readonly tasks: readonly TaskState[]
}

/** Why a run is being ended before its time. */
export interface Ending {
  readonly status: 'canceled' | 'timed_out'
  readonly reason: string
}

/** Where a run stands: plain JSON. Steps and tasks lie in the order of the graph; `findTaskState` finds by name. */
export interface RunState {
  readonly format: 1
  readonly status: RunStatus
  readonly reason: string | null
  readonly ending: Ending | null
  /** Steps that are not complete yet. */
  readonly open: number
  readonly steps: readonly StepState[]
}

export function isTerminalTask(status: TaskStatus): boolean {
  return status !== 'pending' && status !== 'ready' && status !== 'running'
}

export function isTerminalStep(status: StepStatus): boolean {
  return status !== 'pending' && status !== 'ready' && status !== 'running'
}

export function isTerminalRun(status: RunStatus): status is FinalRunStatus {
  return status !== 'queued' && status !== 'running'
}
