export { describeTaskTypes, TASK_TYPES, taskTypeOf } from './registry.ts'
export type { RunAction } from './run/run-action.ts'
export type { TaskAction } from './task-action.ts'
export type { TaskFields, TaskType } from './task-type.ts'
