import type { RunFacts } from '../facts/index.ts'
import type { GraphStep, GraphTask } from '../graph/graph.ts'
import type { FinalRunStatus, OutputValue, RunState } from './state.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The values that conditions may use. Every transition of one run must get the same context. */
export interface RunContext {
  readonly run: RunFacts
  /** The provider-neutral event that caused the run; null for a run that no event caused. */
  readonly event: Json
  /** The run's variables after overriding. */
  readonly variables: Readonly<Record<string, string>>
  /**
   * Judges each step before it begins, and each task before its first attempt. Within one transition the same place
   * must be judged the same.
   */
  readonly guard?: ((at: GuardPlace) => GuardVerdict) | undefined
}

/** The step or task that is about to begin; `task` null: the step as a whole. */
export interface GuardPlace {
  readonly step: GraphStep
  readonly task: GraphTask | null
}

export interface GuardVerdict {
  /** Revisions of the rules that were looked at, to be kept with the run. */
  readonly pins: readonly string[]
  /** The sentence with which the run fails, whatever `ignore_failure` says; null: nothing forbids it. */
  readonly violation: string | null
}

/** A task whose result is taken from an earlier run. */
export interface ReusedTask {
  readonly outputs: Readonly<Record<string, OutputValue>>
  readonly exitCode: number | null
  /** One sentence that says whose it is. */
  readonly reason: string | null
}

/** By `<step>/<task>`. */
export type Reuse = ReadonlyMap<string, ReusedTask>

/** `lost`: the end is unknown; this code decides whether the task is tried again. */
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
  /** Raw values by name; undeclared ones are dropped. */
  readonly outputs?: Readonly<Record<string, string>> | undefined
  /** Names of those in which the runner found something that it masks: sensitive, declared so or not. */
  readonly sensitive?: readonly string[] | undefined
  /** A loss that the runner tells of lives through it: what it lost was an engine or a process of its own. */
  readonly runnerLives?: boolean | undefined
  /** Of a loss: its runner knows for certain that nothing of the task had begun. Another runner may take it. */
  readonly notBegun?: boolean | undefined
}

export type RunEvent =
  | TaskStarted
  | TaskFinished
  | ({ readonly type: 'retry_due' } & AttemptKey)
  | { readonly type: 'cancel_requested'; readonly reason: string }
  | { readonly type: 'run_timed_out' }
  | { readonly type: 'step_timed_out'; readonly step: string }
  | ApprovalDecided
  | { readonly type: 'approval_timed_out'; readonly step: string }
  /** A rule was violated outside of what the guard sees: the run fails, whatever `ignore_failure` says. */
  | { readonly type: 'failed_closed'; readonly reason: string }

/** Enough approvers have said yes, or one has said no. */
export interface ApprovalDecided {
  readonly type: 'approval_decided'
  readonly step: string
  readonly decision: 'approved' | 'rejected'
  /** One sentence; may be empty when approved. */
  readonly reason: string
  /** The values filled in, by the name of the field, and `decided_by`. */
  readonly outputs: Readonly<Record<string, string>>
}

export type Effect =
  | ({ readonly type: 'start_attempt' } & AttemptKey)
  /** After `delayMs`, send `retry_due` with the same step, task and attempt. */
  | ({ readonly type: 'schedule_retry'; readonly delayMs: number } & AttemptKey)
  | ({ readonly type: 'cancel_attempt'; readonly reason: string } & AttemptKey)
  /** After `afterMs`, send `step_timed_out`. */
  | { readonly type: 'start_step_timer'; readonly step: string; readonly afterMs: number }
  /** People are to be asked; their answer is `approval_decided`, their silence `approval_timed_out`. */
  | { readonly type: 'request_approval'; readonly step: string; readonly task: string }
  /** The facts that the guard used, to be stored with the state. `task` null: as the step began. */
  | {
      readonly type: 'pin'
      readonly step: string
      readonly task: string | null
      readonly revisions: readonly string[]
    }
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
