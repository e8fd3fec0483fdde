import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import type { runRoutes } from '@signalbox/contracts/runs/routes'

/** A pipeline in a list. */
export type PipelineRow = ItemOf<typeof pipelineRoutes.listPipelines>
/** A pipeline with its document. */
export type Pipeline = SuccessOf<typeof pipelineRoutes.getPipeline>
/** The newest runs of a pipeline, newest first. */
export type Results = ItemOf<typeof runRoutes.listPipelineResults>['runs']

/** A pipeline as the control plane has it. */
export interface Stored {
  readonly pipeline: Pipeline
  readonly etag: string | undefined
}
