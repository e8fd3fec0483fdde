export { PipelineSchema, pipelineJsonSchema } from './pipeline.ts'
export { Approval, Matrix, StepSchema } from './step.ts'
export { TaskSchema } from './task.ts'
