import type { PipelineAction } from './pipeline/pipeline-action.ts'
import type { RunAction } from './run/run-action.ts'

/** The work of a task; `kind` tells the kinds apart. A new kind of task adds its action here. */
export type TaskAction = RunAction | PipelineAction
