import { type Static, Type } from 'typebox'
import { pageQuery, Scope, STRICT, TeamFilter, Uuid } from '../http/index.ts'
import { RunStatus } from './run-status.ts'

export const RUN_CAUSES = ['event', 'request', 'rerun', 'schedule', 'external', 'pipeline'] as const

/** The filters of the list of runs. A run must match all that are given. */
export const RunQuery = Type.Object(
  {
    ...pageQuery,
    teamId: Type.Optional(TeamFilter),
    status: Type.Optional(
      Type.Array(RunStatus, {
        minItems: 1,
        maxItems: 8,
        description: 'One of these; repeat the parameter for several: status=queued&status=running.',
      }),
    ),
    pipeline: Type.Optional(
      Type.String({ minLength: 1, maxLength: 600, description: 'Uuid or identifier of a pipeline.' }),
    ),
    cause: Type.Optional(Type.Enum([...RUN_CAUSES], { description: 'Why it runs.' })),
    initiator: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Id of the user or service account on whose behalf it runs.',
      }),
    ),
    branch: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    commit: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{4,64}$', description: 'A commit, or its first characters, 4 at least.' }),
    ),
    repository: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'As the runs show it, such as acme/shop.' }),
    ),
    pull_request: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Number of the pull request.' }),
    ),
    scope: Type.Optional(Scope),
    trigger: Type.Optional(Uuid),
    schedule: Type.Optional(Uuid),
    external_trigger: Type.Optional(Uuid),
    since: Type.Optional(Type.String({ format: 'date-time', description: 'Queued at this time or later.' })),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'Queued before this time.' })),
  },
  STRICT,
)
export type RunQuery = Static<typeof RunQuery>
