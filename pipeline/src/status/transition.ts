import type { FinalRunStatus, RunState } from './state.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** What conditions may look at. The same context must be given to every transition of one run. */
export interface RunContext {
  /** The provider-neutral event that caused the run; null for a run that no event caused. */
  readonly event: Json
  /** The run's variables after overriding. */
  readonly variables: Readonly<Record<string, string>>
}

/** `lost`: the runner fell silent; whether the task is tried again is decided here. */
export type AttemptResult = 'success' | 'failure' | 'timed_out' | 'canceled' | 'lost'

export interface AttemptKey {
  readonly step: string
  readonly task: string
  /** From 1. */
  readonly attempt: number
}

export interface TaskStarted extends AttemptKey {
  readonly type: 'task_started'
}

export interface TaskFinished extends AttemptKey {
  readonly type: 'task_finished'
  readonly result: AttemptResult
  /** One sentence; may be empty on success. */
  readonly reason: string
  readonly exitCode?: number | undefined
  /** Raw values by name; undeclared ones are dropped, and sensitivity comes from the declaration. */
  readonly outputs?: Readonly<Record<string, string>> | undefined
}

export type RunEvent =
  | TaskStarted
  | TaskFinished
  | ({ readonly type: 'retry_due' } & AttemptKey)
  | { readonly type: 'cancel_requested'; readonly reason: string }
  | { readonly type: 'run_timed_out' }
  | { readonly type: 'step_timed_out'; readonly step: string }

export type Effect =
  | ({ readonly type: 'start_attempt' } & AttemptKey)
  /** After `delayMs`, send `retry_due` with the same step, task and attempt. */
  | ({ readonly type: 'schedule_retry'; readonly delayMs: number } & AttemptKey)
  | ({ readonly type: 'cancel_attempt'; readonly reason: string } & AttemptKey)
  /** After `afterMs`, send `step_timed_out`. */
  | { readonly type: 'start_step_timer'; readonly step: string; readonly afterMs: number }
  | { readonly type: 'finish_run'; readonly status: FinalRunStatus }

/** The new state, what to do once it is stored, and what of it differs from before. */
export interface Transition {
  readonly state: RunState
  readonly effects: readonly Effect[]
  readonly changed: {
    readonly run: boolean
    /** Names of steps whose own fields changed (not merely one of their tasks). */
    readonly steps: readonly string[]
    /** `<step>/<task>`. */
    readonly tasks: readonly string[]
  }
}
