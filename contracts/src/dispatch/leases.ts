import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, Scope, Time, Uuid } from '../http/index.ts'

export const RunnerLeasesParams = Type.Object({ id: Uuid })

/** A task that a runner has in hand. */
export const RunnerLease = Type.Object({
  run_id: Uuid,
  pipeline: Type.String({ ...OURS, description: 'Identifier of the pipeline of the run.' }),
  scope: Scope,
  step: OwnName,
  task: OwnName,
  attempt: Type.Integer({ description: 'The number of the attempt; 1 is the first.' }),
  leased_at: Time,
  started_at: Nullable(Time),
  cancel_requested_at: Nullable(Time),
})
export type RunnerLease = Static<typeof RunnerLease>

export const RunnerLeases = Type.Object({
  leases: Type.Array(RunnerLease, { description: 'Those of runs that the caller may read, the oldest first.' }),
  hidden: Type.Integer({ description: 'Tasks in hand of runs that the caller may not read.' }),
})
export type RunnerLeases = Static<typeof RunnerLeases>
