import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, Scope, STRICT } from '../http/index.ts'
import { Executor, Labels } from '../profiles/index.ts'
import { QueueBlocker } from '../runs/index.ts'

/** What somebody wants to run, to ask who could take it. */
export const RunnerNeed = Type.Object(
  {
    scope: Scope,
    profile: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 600,
        description: 'A profile that the team of the scope may use, such as node24 or acme/web/node24.',
      }),
    ),
    executor: Type.Optional(Executor),
    labels: Type.Optional(Labels),
  },
  STRICT,
)
export type RunnerNeed = Static<typeof RunnerNeed>

export const RunnerVerdicts = Type.Object({
  scope: Scope,
  executor: Executor,
  labels: Type.Array(OwnName, { description: 'Those of the profile, and those that were asked for.' }),
  reason: Nullable(Type.String({ ...OURS, description: 'Why none of these runners can take it now; null: one can.' })),
  runners: Type.Array(QueueBlocker, {
    description: 'Each runner that the caller may see and that may serve the team of the scope, by name.',
  }),
})
export type RunnerVerdicts = Static<typeof RunnerVerdicts>
