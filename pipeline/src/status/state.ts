/** Statuses of a run that this engine sets. `paused`: it waits for people alone. */
export type RunStatus = 'queued' | 'running' | 'paused' | FinalRunStatus
export type FinalRunStatus = 'success' | 'failure' | 'warning' | 'timed_out' | 'canceled'

export type TaskStatus =
  | 'pending'
  | 'ready'
  | 'running'
  | 'paused'
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
  /** The run's `lostAttempts` when the newest attempt was asked for: one crash of a runner counts once. */
  readonly lossesBefore: number
  /** Attempts that runners handed back before anything had begun: they do not count against the task's retries. */
  readonly handedBack: number
}

export interface StepState {
  readonly name: string
  readonly status: StepStatus
  readonly reason: string | null
  readonly blocks: boolean
  readonly waitsFor: number
  /** Something complete that it depends on, directly or not, failed or timed out. */
  readonly afterFailure: boolean
  /** Tasks that are not complete yet. */
  readonly open: number
  /** Set once the step's own time is over: what still runs is being ended for this reason. */
  readonly timedOut: string | null
  /** In the order of the graph. */
  readonly tasks: readonly TaskState[]
}

/** Why a run is being ended before its time. `failure`: somebody or a rule forbade it, whatever `ignore_failure` says. */
export interface Ending {
  readonly status: 'canceled' | 'timed_out' | 'failure'
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
  /** Tasks that are ready, run, or wait for another attempt. */
  readonly active: number
  /** Tasks that wait for people. */
  readonly waiting: number
  /** Crashes of runners under this run; those of one moment count once. */
  readonly lostAttempts: number
  readonly steps: readonly StepState[]
}

export function isTerminalTask(status: TaskStatus): boolean {
  return status !== 'pending' && status !== 'ready' && status !== 'running' && status !== 'paused'
}

export function isTerminalStep(status: StepStatus): boolean {
  return status !== 'pending' && status !== 'ready' && status !== 'running' && status !== 'paused'
}

export function isTerminalRun(status: RunStatus): status is FinalRunStatus {
  return status !== 'queued' && status !== 'running' && status !== 'paused'
}

/** Whether something other than people will move this task. A pending one with an attempt waits for its next. */
export function isActiveTask(task: TaskState): boolean {
  return task.status === 'ready' || task.status === 'running' || (task.status === 'pending' && task.attempt > 0)
}
