import { type Static, Type } from 'typebox'
import { OURS, OwnName, pageQuery, ReadOnly, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'

export const Team = Type.Object({
  id: Uuid,
  path: TeamPath,
  name: OwnName,
  created_at: Time,
  updated_at: Time,
})
export type Team = Static<typeof Team>

/** Uuid, or the URL-encoded path: `/v1/teams/acme%2Fweb`. */
export const TeamParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 500 }) })
export type TeamParams = Static<typeof TeamParams>

const name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Shown to people. Default: the last part of the path.',
})

export const CreateTeam = Type.Object(
  { path: TeamPath, name: Type.Optional(name), id: ReadOnly, created_at: ReadOnly, updated_at: ReadOnly },
  STRICT,
)
export type CreateTeam = Static<typeof CreateTeam>

export const ChangeTeam = Type.Object(
  {
    name: Type.Optional(name),
    path: Type.Optional(Type.String({ description: 'A path never changes: only the current one is accepted.' })),
    id: ReadOnly,
    created_at: ReadOnly,
    updated_at: ReadOnly,
  },
  STRICT,
)
export type ChangeTeam = Static<typeof ChangeTeam>

export const TeamQuery = Type.Object({ ...pageQuery }, STRICT)
export type TeamQuery = Static<typeof TeamQuery>

export const EnvironmentName = Type.String({
  ...OURS,
  pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
  description: 'A name of lower-case letters, digits, - and _, at most 63 characters.',
})

/** `user:<id>`, `group:<id>` or `service_account:<id>`. */
export const SubjectRef = Type.String({
  ...OURS,
  pattern: '^(user|group|service_account):[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: 'user:<id>, group:<id> or service_account:<id>',
})

export const Environment = Type.Object({
  id: Uuid,
  name: EnvironmentName,
  scope: Type.String({ ...OURS, description: '<team path>/<environment>: what a run names to use it.' }),
  protected: Type.Boolean({ description: 'Only the allowed subjects may use its scope.' }),
  allowed_subjects: Type.Array(SubjectRef),
  created_at: Time,
  updated_at: Time,
})
export type Environment = Static<typeof Environment>

export const EnvironmentParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 500 }),
  name: EnvironmentName,
})
export type EnvironmentParams = Static<typeof EnvironmentParams>

const protection = {
  protected: Type.Optional(Type.Boolean()),
  allowed_subjects: Type.Optional(Type.Array(SubjectRef, { maxItems: 200, uniqueItems: true })),
}
const environmentReadOnly = { id: ReadOnly, scope: ReadOnly, created_at: ReadOnly, updated_at: ReadOnly }

export const CreateEnvironment = Type.Object({ name: EnvironmentName, ...protection, ...environmentReadOnly }, STRICT)
export type CreateEnvironment = Static<typeof CreateEnvironment>

export const ChangeEnvironment = Type.Object({ ...protection, name: ReadOnly, ...environmentReadOnly }, STRICT)
export type ChangeEnvironment = Static<typeof ChangeEnvironment>
