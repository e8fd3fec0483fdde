import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, pageQuery, ReadOnly, ShownOnce, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'
import { Labels } from '../profiles/index.ts'

/** The team whose scopes a runner may serve; "/" is the platform: all of them. */
export const RunnerTeamPath = Type.String({
  ...OURS,
  pattern: '^(/|[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){0,7})$',
  maxLength: 500,
  description: 'Path of a team, or "/" for a runner of the platform.',
})

export const ScopePatterns = Type.Array(
  Type.String({
    ...OURS,
    minLength: 1,
    maxLength: 200,
    description: 'Such as acme/web/production, acme/** or !acme/secret/*.',
  }),
  {
    minItems: 1,
    maxItems: 100,
    description:
      'Patterns of the scopes that the runner serves: "*" within a segment, "**" across; the last pattern that fits decides.',
  },
)

export const RunnerName = Type.String({
  ...OURS,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
  description: 'Letters, digits, ".", "-" and "_", at most 100 characters.',
})

export const RunnerParams = Type.Object({ id: Uuid })

export const Runner = Type.Object({
  id: Uuid,
  name: RunnerName,
  team_path: RunnerTeamPath,
  scopes: ScopePatterns,
  labels: Type.Array(OwnName, { description: 'The labels that an operator gave.' }),
  offered_labels: Type.Array(OwnName, {
    description: 'Offered by the runner itself; they count like the labels of an operator.',
  }),
  executors: Type.Array(OwnName, { description: 'The executors of the runner, such as host.' }),
  capacity: Type.Integer({ description: 'Tasks at a time.' }),
  version: Type.String(),
  enabled: Type.Boolean({ description: 'False: it gets no new tasks; tasks in hand go on.' }),
  draining: Type.Boolean({ description: 'True: an operator wants it to finish its tasks and take no new ones.' }),
  leaving: Type.Boolean({ description: 'True: the runner itself is stopping.' }),
  connected: Type.Boolean({ description: 'The runner holds a connection and was heard of within its lease.' }),
  connected_at: Nullable(Time),
  last_seen_at: Nullable(Time),
  created_at: Time,
  updated_at: Time,
})
export type Runner = Static<typeof Runner>

/**
 * The fields that an operator sets. Fields that a runner reports are accepted and ignored, so that a runner's document
 * can be written back.
 */
export const RunnerChange = Type.Object(
  {
    name: Type.Optional(RunnerName),
    scopes: Type.Optional(ScopePatterns),
    labels: Type.Optional(Labels),
    enabled: Type.Optional(Type.Boolean()),
    draining: Type.Optional(Type.Boolean()),
    id: ReadOnly,
    team_path: ReadOnly,
    offered_labels: ReadOnly,
    executors: ReadOnly,
    capacity: ReadOnly,
    version: ReadOnly,
    leaving: ReadOnly,
    connected: ReadOnly,
    connected_at: ReadOnly,
    last_seen_at: ReadOnly,
    created_at: ReadOnly,
    updated_at: ReadOnly,
  },
  STRICT,
)
export type RunnerChange = Static<typeof RunnerChange>

export const RunnerQuery = Type.Object({ ...pageQuery, team_path: Type.Optional(TeamPath) }, STRICT)
export type RunnerQuery = Static<typeof RunnerQuery>

export const RunnerEnrollmentQuery = Type.Object(pageQuery, STRICT)
export type RunnerEnrollmentQuery = Static<typeof RunnerEnrollmentQuery>

export const RunnerEnrollmentInput = Type.Object(
  {
    team_path: RunnerTeamPath,
    scopes: ScopePatterns,
    labels: Type.Optional(Labels),
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'Default: in 24 hours; at most 30 days.' }),
    ),
  },
  STRICT,
)
export type RunnerEnrollmentInput = Static<typeof RunnerEnrollmentInput>

export const RunnerEnrollment = Type.Object({
  id: Uuid,
  team_path: RunnerTeamPath,
  scopes: ScopePatterns,
  labels: Type.Array(OwnName),
  expires_at: Time,
  used_at: Nullable(Time),
  created_by: OwnName,
  created_at: Time,
})
export type RunnerEnrollment = Static<typeof RunnerEnrollment>

export const NewRunnerEnrollment = Type.Object({
  ...RunnerEnrollment.properties,
  token: ShownOnce('Valid for one runner. Shown only once.'),
  runner_url: Type.String({ ...OURS, description: 'Where runners connect: `signalbox runner --url`.' }),
})
export type NewRunnerEnrollment = Static<typeof NewRunnerEnrollment>
