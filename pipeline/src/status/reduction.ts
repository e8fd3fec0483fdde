import type { GraphStep } from '../graph/graph.ts'
import type { Ending, FinalRunStatus, StepState, TaskState } from './state.ts'

/** The status of a step whose tasks are all complete. Independent of the order in which they completed. */
export function reduceStep(
  step: GraphStep,
  state: StepState,
  tasks: readonly TaskState[],
  ending: Ending | null,
): Pick<StepState, 'status' | 'reason' | 'blocks'> {
  if (state.timedOut !== null) {
    if (step.ignoreFailure) return { status: 'warning', reason: state.timedOut, blocks: false }
    return { status: 'timed_out', reason: state.timedOut, blocks: true }
  }
  if (ending !== null) {
    const stopped =
      tasks.find((task) => task.status === 'timed_out') ?? tasks.find((task) => task.status === 'canceled')
    const broken = tasks.some((task) => task.status === 'failure')
    if (stopped !== undefined && !broken) {
      return { status: stopped.status === 'timed_out' ? 'timed_out' : 'canceled', reason: ending.reason, blocks: true }
    }
  }
  // In a step that ignores failures only what must not be ignored has this status: the rest is `failure (ignored)`.
  const failed = tasks.find((task) => task.status === 'failure' || task.status === 'timed_out')
  if (failed !== undefined) return { status: 'failure', reason: sentence(failed), blocks: true }
  const canceled = tasks.find((task) => task.status === 'canceled')
  if (canceled !== undefined) return { status: 'canceled', reason: canceled.reason, blocks: true }
  const ignored = tasks.find((task) => task.status === 'failure (ignored)')
  if (ignored !== undefined) return { status: 'warning', reason: sentence(ignored), blocks: false }
  if (tasks.every((task) => task.status === 'skipped')) {
    return { status: 'skipped', reason: tasks[0]?.reason ?? null, blocks: false }
  }
  return { status: 'success', reason: null, blocks: false }
}

/** The status of a run whose steps are all complete. An ending before its time outranks all else. */
export function reduceRun(ending: Ending | null, steps: readonly StepState[]): FinalRunStatus {
  if (ending !== null) return ending.status
  const has = (...statuses: StepState['status'][]) => steps.some((step) => statuses.includes(step.status))
  if (has('failure', 'timed_out')) return 'failure'
  if (has('canceled')) return 'canceled'
  if (has('warning')) return 'warning'
  return 'success'
}

function sentence(task: TaskState): string {
  const what = task.status === 'timed_out' ? 'timed out' : task.status === 'failure' ? 'failed' : 'failed (ignored)'
  return task.reason === null ? `task ${task.name} ${what}` : `task ${task.name} ${what}: ${task.reason}`
}
