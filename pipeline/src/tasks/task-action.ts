import type { PipelineAction } from './pipeline/pipeline-action.ts'
import type { RunAction } from './run/run-action.ts'

/** What a task does; `kind` tells the kinds apart. A new kind of task adds its action here. */
export type TaskAction = RunAction | PipelineAction
