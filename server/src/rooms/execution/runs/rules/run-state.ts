import type { Graph } from '@signalbox/pipeline/graph'
import {
  afterFailures,
  type Ending,
  isActiveTask,
  isTerminalStep,
  isTerminalTask,
  type OutputValue,
  type RunState,
  type StepState,
  type TaskState,
} from '@signalbox/pipeline/status'

/** The stored parts of a run's state; what follows from the graph (who still waits for how many) is worked out. */
export interface StoredRun {
  readonly status: string
  readonly reason: string | null
  readonly ending: Ending | null
  /** Crashes of runners under it. */
  readonly lostAttempts: number
}

export interface StoredStep {
  readonly step: string
  readonly status: string
  readonly reason: string | null
  readonly blocks: boolean
  readonly timedOut: string | null
}

export interface StoredTask {
  readonly step: string
  readonly task: string
  readonly status: string
  readonly reason: string | null
  readonly blocks: boolean
  readonly attempt: number
  readonly exitCode: number | null
  readonly outputs: Readonly<Record<string, OutputValue>>
  /** The run's `lostAttempts` when its newest attempt was asked for. */
  readonly lossesBefore: number
  readonly handedBack: number
}

/**
 * The engine's state from what is stored. Counters are derived: a step or task waits for each incomplete dependency, and a
 * run or step counts its incomplete parts as open. Throws RangeError on rows of another graph.
 */
export function restoreState(
  graph: Graph,
  run: StoredRun,
  steps: readonly StoredStep[],
  tasks: readonly StoredTask[],
): RunState {
  const stepByName = new Map(steps.map((row) => [row.step, row]))
  const taskByName = new Map(tasks.map((row) => [`${row.step}/${row.task}`, row]))
  const after = afterFailures(
    graph,
    graph.steps.map((step) => readStepStatus(stepByName.get(step.name)?.status ?? 'pending')),
  )
  const states = graph.steps.map((step, at): StepState => {
    const row = stepByName.get(step.name)
    if (!row) throw new RangeError(`No row of step ${step.name}`)
    const taskStates = step.tasks.map((task): TaskState => {
      const stored = taskByName.get(`${step.name}/${task.name}`)
      if (!stored) throw new RangeError(`No row of task ${step.name}/${task.name}`)
      return {
        name: task.name,
        status: readTaskStatus(stored.status),
        attempt: stored.attempt,
        reason: stored.reason,
        exitCode: stored.exitCode,
        outputs: stored.outputs,
        blocks: stored.blocks,
        waitsFor: task.dependsOn.filter((name) => {
          const status = taskByName.get(`${step.name}/${name}`)?.status
          return status !== undefined && !isTerminalTask(readTaskStatus(status))
        }).length,
        lossesBefore: stored.lossesBefore,
        handedBack: stored.handedBack,
      }
    })
    return {
      name: step.name,
      status: readStepStatus(row.status),
      reason: row.reason,
      blocks: row.blocks,
      waitsFor: step.dependsOn.filter((name) => {
        const status = stepByName.get(name)?.status
        return status !== undefined && !isTerminalStep(readStepStatus(status))
      }).length,
      afterFailure: after[at] ?? false,
      open: taskStates.filter((task) => !isTerminalTask(task.status)).length,
      timedOut: row.timedOut,
      tasks: taskStates,
    }
  })
  const all = states.flatMap((step) => step.tasks)
  return {
    format: 1,
    status: readRunStatus(run.status),
    reason: run.reason,
    ending: run.ending,
    open: states.filter((step) => !isTerminalStep(step.status)).length,
    active: all.filter(isActiveTask).length,
    waiting: all.filter((task) => task.status === 'paused').length,
    lostAttempts: run.lostAttempts,
    steps: states,
  }
}

const RUN_STATUSES = ['queued', 'running', 'paused', 'success', 'failure', 'warning', 'timed_out', 'canceled'] as const
const TASK_STATUSES = [
  'pending',
  'ready',
  'running',
  'paused',
  'success',
  'failure',
  'failure (ignored)',
  'skipped',
  'canceled',
  'timed_out',
] as const
const STEP_STATUSES = [
  'pending',
  'ready',
  'running',
  'paused',
  'success',
  'failure',
  'warning',
  'skipped',
  'canceled',
  'timed_out',
] as const

function oneOf<Word extends string>(words: readonly Word[], text: string): Word {
  const word = words.find((known) => known === text)
  if (word === undefined) throw new RangeError(`"${text}" is no status that this version knows`)
  return word
}

function readRunStatus(text: string): RunState['status'] {
  return oneOf(RUN_STATUSES, text)
}
function readStepStatus(text: string): StepState['status'] {
  return oneOf(STEP_STATUSES, text)
}
function readTaskStatus(text: string): TaskState['status'] {
  return oneOf(TASK_STATUSES, text)
}
