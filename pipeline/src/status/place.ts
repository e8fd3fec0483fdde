import type { GraphIndex, StepIndex, TaskIndex } from './graph-index.ts'

/** Where a task lies in the graph. */
export interface TaskPlace {
  readonly stepAt: number
  readonly taskAt: number
  readonly step: StepIndex
  readonly task: TaskIndex
}

/** Undefined for names that the graph does not have. */
export function findPlace(
  index: GraphIndex,
  named: { readonly step: string; readonly task: string },
): TaskPlace | undefined {
  const stepAt = index.stepAt.get(named.step)
  const step = stepAt === undefined ? undefined : index.steps[stepAt]
  const taskAt = step?.taskAt.get(named.task)
  const task = taskAt === undefined ? undefined : step?.tasks[taskAt]
  if (stepAt === undefined || step === undefined || taskAt === undefined || task === undefined) return undefined
  return { stepAt, taskAt, step, task }
}

/** The names of a place, as events and effects carry them. */
export function keyOf(place: TaskPlace): { readonly step: string; readonly task: string } {
  return { step: place.step.step.name, task: place.task.task.name }
}
