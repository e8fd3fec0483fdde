import { type Static, Type } from 'typebox'
import { Nullable, STRICT, Time, Uuid } from '../http/index.ts'
import { RunStatus } from './run-status.ts'

export const PipelineResultsQuery = Type.Object(
  {
    pipeline: Type.Array(Uuid, {
      minItems: 1,
      maxItems: 100,
      description: 'Ids of pipelines, such as those of one page of the list; repeat the parameter for several.',
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: 30, description: 'Of each pipeline.' })),
  },
  STRICT,
)
export type PipelineResultsQuery = Static<typeof PipelineResultsQuery>

/** The newest runs of one pipeline, newest first; a pipeline without runs that the caller may see is left out. */
export const PipelineResults = Type.Object({
  pipeline_id: Uuid,
  runs: Type.Array(
    Type.Object({
      run_id: Uuid,
      status: RunStatus,
      queued_at: Time,
      started_at: Nullable(Time),
      finished_at: Nullable(Time),
    }),
  ),
})
export type PipelineResults = Static<typeof PipelineResults>
