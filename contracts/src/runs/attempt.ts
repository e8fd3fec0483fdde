import { type Static, Type } from 'typebox'
import { Nullable, OURS, Time, Uuid } from '../http/index.ts'

export const RunImage = Type.Object({
  service: Nullable(Type.String({ ...OURS, description: 'The service that ran it; null: the task itself.' })),
  image: Type.String({ description: 'As the pipeline or the profile names it.' }),
  digest: Type.String({
    description: 'The digest by which its registry has it; of an image that was made on the machine its id.',
  }),
})
export type RunImage = Static<typeof RunImage>

export const RunAttempt = Type.Object({
  attempt: Type.Integer(),
  status: Type.String({
    ...OURS,
    description: 'waiting, leased, child, success, failure, timed_out, canceled or lost.',
  }),
  child_run_id: Nullable(
    Type.String({ format: 'uuid', description: 'Of a task that runs a pipeline: the run that was made for it.' }),
  ),
  reason: Nullable(Type.String()),
  exit_code: Nullable(Type.Integer()),
  runner_id: Nullable(Uuid),
  images: Type.Array(RunImage, { description: 'The images of its containers; empty on the host.' }),
  leased_at: Nullable(Time),
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
})
export type RunAttempt = Static<typeof RunAttempt>
