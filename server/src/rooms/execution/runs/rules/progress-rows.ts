import {
  isTerminalRun,
  isTerminalStep,
  isTerminalTask,
  type OutputValue,
  type RunState,
  type Transition,
} from '@signalbox/pipeline/status'
import type { RunInFlight } from './run-in-flight.ts'
import type { RunSave, StepRow, TaskRow } from './stored-rows.ts'

/** What happened to one run in one round of the dispatcher. */
export type RunProgress =
  /** The engine moved it; `before` is what the transition was computed from. */
  | { readonly before: RunInFlight; readonly transition: Transition }
  /** It never began, for a reason that its initiator should read. */
  | { readonly before: RunInFlight; readonly refused: string }

export interface ProgressRows {
  readonly run: RunSave
  readonly steps: readonly StepRow[]
  readonly tasks: readonly TaskRow[]
}

/** What has one of these has begun, if only in the round in which it ended; the first time that is stored stays. */
const BEGUN: ReadonlySet<string> = new Set([
  'running',
  'paused',
  'success',
  'failure',
  'failure (ignored)',
  'warning',
  'timed_out',
])

/** The rows that a transition changes. `seal` makes the stored form of a task's outputs. */
export function progressRows(
  progress: RunProgress,
  at: Date,
  seal: (taskPath: string, outputs: Readonly<Record<string, OutputValue>>) => unknown,
): ProgressRows {
  const { before } = progress
  if ('refused' in progress) {
    const { refused: reason } = progress
    const run: RunSave = { ...keep(before), status: 'failure', reason, ending: null, finished_at: at, paused_at: null }
    return { run, steps: [], tasks: [] }
  }
  const { state, effects, changed } = progress.transition
  const changedSteps = new Set(changed.steps)
  const changedTasks = new Set(changed.tasks)
  const stepDeadlines = new Map<string, Date>()
  const retries = new Map<string, Date>()
  for (const effect of effects) {
    if (effect.type === 'start_step_timer') stepDeadlines.set(effect.step, later(at, effect.afterMs))
    if (effect.type === 'schedule_retry') retries.set(`${effect.step}/${effect.task}`, later(at, effect.delayMs))
  }
  const steps: StepRow[] = []
  const tasks: TaskRow[] = []
  for (const [position, step] of state.steps.entries()) {
    if (changedSteps.has(step.name)) {
      steps.push({
        run_id: before.id,
        step: step.name,
        position,
        status: step.status,
        reason: step.reason,
        blocks: step.blocks,
        timed_out: step.timedOut,
        started_at: BEGUN.has(step.status) ? at : null,
        finished_at: isTerminalStep(step.status) ? at : null,
        deadline_at: stepDeadlines.get(step.name) ?? null,
      })
    }
    if (changedTasks.size === 0) continue
    for (const [taskPosition, task] of step.tasks.entries()) {
      const path = `${step.name}/${task.name}`
      if (!changedTasks.has(path)) continue
      tasks.push({
        run_id: before.id,
        step: step.name,
        task: task.name,
        position: taskPosition,
        status: task.status,
        reason: task.reason,
        blocks: task.blocks,
        attempt: task.attempt,
        exit_code: task.exitCode,
        outputs: seal(path, task.outputs),
        losses_before: task.lossesBefore,
        retry_at: task.status === 'pending' ? (retries.get(path) ?? null) : null,
        started_at: BEGUN.has(task.status) ? at : null,
        finished_at: isTerminalTask(task.status) ? at : null,
      })
    }
  }
  return { run: runRow(before, state, at), steps, tasks }
}

function runRow(before: RunInFlight, state: RunState, at: Date): RunSave {
  const { timeoutMs, finalOutputs } = before.graph
  const over = isTerminalRun(state.status)
  const startedAt = before.startedAt ?? at
  const deadlineAt = before.deadlineAt ?? (timeoutMs === null ? null : later(startedAt, timeoutMs))
  const paused = state.status === 'paused'
  const stoodMs = before.pausedAt && !paused ? at.getTime() - before.pausedAt.getTime() : 0
  return {
    ...keep(before),
    // A run in hand is running for everybody outside, even before its first task is.
    status: state.status === 'queued' ? 'running' : state.status,
    reason: state.reason ?? (over ? explain(state) : null),
    ending: state.ending,
    started_at: startedAt,
    finished_at: over ? at : null,
    // Its time limit stands still while people think.
    deadline_at: deadlineAt && later(deadlineAt, stoodMs),
    paused_at: paused ? (before.pausedAt ?? at) : null,
    lost_attempts: state.lostAttempts,
    final_output_status: over && finalOutputs.length > 0 ? 'pending' : 'none',
  }
}

/** The run as it stands once `row` is stored. */
export function afterSave(before: RunInFlight, state: RunState, row: RunSave): RunInFlight {
  const { started_at: startedAt, deadline_at: deadlineAt, paused_at: pausedAt } = row
  return { ...before, state, startedAt, deadlineAt, pausedAt, revision: before.revision + 1 }
}

function keep(before: RunInFlight) {
  return {
    id: before.id,
    revision: before.revision,
    started_at: before.startedAt,
    deadline_at: before.deadlineAt,
    lost_attempts: before.state?.lostAttempts ?? 0,
    final_output_status: 'none' as const,
  }
}

/** The first step that went wrong says why the run did. */
function explain(state: RunState): string | null {
  const wrong = (...statuses: string[]) => state.steps.find((step) => statuses.includes(step.status))
  const step = wrong('failure', 'timed_out') ?? wrong('canceled') ?? wrong('warning')
  if (!step) return null
  return step.reason === null ? `step ${step.name}: ${step.status}` : `step ${step.name}: ${step.reason}`
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}
