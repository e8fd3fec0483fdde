import { pipelineTask } from './pipeline/pipeline-task.ts'
import { runTask } from './run/run-task.ts'
import type { TaskType } from './task-type.ts'

/** Every kind of task, one folder each; a test holds folders and list equal. */
export const TASK_TYPES: readonly TaskType[] = [runTask, pipelineTask]

/** The kind of a task, by the directives it has. Undefined when none of them names a kind. */
export function taskTypeOf(has: (directive: string) => boolean): TaskType | undefined {
  return TASK_TYPES.find((type) => has(type.directive))
}

/** "`run`", or "`run`, `agent` or `pipeline`": for messages. */
export function describeTaskTypes(): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(TASK_TYPES.map((type) => `\`${type.directive}\``))
}
