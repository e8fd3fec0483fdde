import type { Graph } from '@signalbox/pipeline/graph'
import {
  isTerminalRun,
  isTerminalStep,
  isTerminalTask,
  type OutputValue,
  type RunState,
  type StepState,
  type Transition,
} from '@signalbox/pipeline/status'
import type { RunInFlight } from './run-in-flight.ts'
import type { RunSave, StepRow, StoredOutputs, TaskRow } from './stored-rows.ts'

/** The change of one run in one round of the dispatcher. */
export type RunProgress =
  /** The engine moved it; `before` is what the transition was computed from. */
  | {
      readonly before: RunInFlight
      readonly transition: Transition
      /** When it was heard that a task has begun, by `<step>/<task>`; what is missing has begun in this round. */
      readonly begun?: ReadonlyMap<string, Date> | undefined
    }
  /** The run never began, for a reason that its initiator should read. */
  | { readonly before: RunInFlight; readonly refused: string }

export interface ProgressRows {
  readonly run: RunSave
  readonly steps: readonly StepRow[]
  readonly tasks: readonly TaskRow[]
}

/**
 * The statuses of tasks and steps that have begun, if only in the round in which they ended. The first stored start
 * stays.
 */
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
  seal: (taskPath: string, outputs: Readonly<Record<string, OutputValue>>) => StoredOutputs,
): ProgressRows {
  const { before } = progress
  if ('refused' in progress) {
    const { refused: reason } = progress
    const run: RunSave = { ...keep(before), status: 'failure', reason, ending: null, finished_at: at, paused_at: null }
    return { run, steps: [], tasks: [] }
  }
  const { begun, transition } = progress
  const { state, effects, changed } = transition
  const stepDeadlines = new Map<string, Date>()
  const retries = new Map<string, Date>()
  for (const effect of effects) {
    if (effect.type === 'start_step_timer') stepDeadlines.set(effect.step, later(at, effect.afterMs))
    if (effect.type === 'schedule_retry') retries.set(`${effect.step}/${effect.task}`, later(at, effect.delayMs))
  }
  const places = placesOf(before.graph)
  const steps = changed.steps.flatMap((name): StepRow | [] => {
    const position = places.steps.get(name)
    const step = position === undefined ? undefined : state.steps[position]
    if (position === undefined || !step) return []
    return {
      run_id: before.id,
      step: step.name,
      position,
      status: step.status,
      reason: step.reason,
      blocks: step.blocks,
      timed_out: step.timedOut,
      started_at: BEGUN.has(step.status) ? firstBegun(step, begun, at) : null,
      finished_at: isTerminalStep(step.status) ? at : null,
      deadline_at: stepDeadlines.get(step.name) ?? null,
    }
  })
  const tasks = changed.tasks.flatMap((path): TaskRow | [] => {
    const place = places.tasks.get(path)
    const step = place && state.steps[place.step]
    const task = place && step?.tasks[place.task]
    if (!task) return []
    return {
      run_id: before.id,
      step: step.name,
      task: task.name,
      position: place.task,
      status: task.status,
      reason: task.reason,
      blocks: task.blocks,
      attempt: task.attempt,
      exit_code: task.exitCode,
      outputs: seal(path, task.outputs),
      losses_before: task.lossesBefore,
      handed_back: task.handedBack,
      retry_at: task.status === 'pending' ? (retries.get(path) ?? null) : null,
      started_at: BEGUN.has(task.status) ? (begun?.get(path) ?? at) : null,
      finished_at: isTerminalTask(task.status) ? at : null,
    }
  })
  return { run: runRow(before, state, at), steps, tasks }
}

/** A step begins with the first of its tasks. */
function firstBegun({ name, tasks }: StepState, begun: ReadonlyMap<string, Date> | undefined, at: Date): Date {
  if (!begun) return at
  let first = at
  for (const task of tasks) {
    const own = begun.get(`${name}/${task.name}`)
    if (own && own < first) first = own
  }
  return first
}

interface Places {
  readonly steps: ReadonlyMap<string, number>
  /** By `<step>/<task>`. */
  readonly tasks: ReadonlyMap<string, { readonly step: number; readonly task: number }>
}

const known = new WeakMap<Graph, Places>()

/** Where steps and tasks lie, by their names: a round changes a few of perhaps thousands. */
function placesOf(graph: Graph): Places {
  const places = known.get(graph) ?? {
    steps: new Map(graph.steps.map(({ name }, step) => [name, step])),
    tasks: new Map(
      graph.steps.flatMap(({ name, tasks }, step) =>
        tasks.map((task, at) => [`${name}/${task.name}`, { step, task: at }] as const),
      ),
    ),
  }
  known.set(graph, places)
  return places
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
    // The run's time limit does not run while people decide.
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
