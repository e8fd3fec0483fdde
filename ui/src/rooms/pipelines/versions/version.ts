import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'

/** A version in the list of a pipeline. */
export type Version = ItemOf<typeof pipelineRoutes.listPipelineVersions>
