import { type Static, Type } from 'typebox'
import { Nullable, OURS, pageQuery, ReadOnly, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'

/** Where a task runs: on the runner itself, or in a container that the runner starts. */
export const Executor = Type.Enum(['host', 'container'])
export type Executor = Static<typeof Executor>

/** A label that a profile asks of a runner and a runner offers, such as `gpu` or `arm64`. */
export const Label = Type.String({
  ...OURS,
  pattern: '^[a-z0-9][a-z0-9._-]{0,62}$',
  description: 'Lower-case letters, digits, ".", "-" and "_", at most 63 characters, such as arm64.',
})
export const Labels = Type.Array(Label, { maxItems: 32, uniqueItems: true })

export const ProfileName = Type.String({
  ...OURS,
  pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
  description: 'Lower-case letters, digits, "-" and "_", at most 63 characters, such as node24.',
})

/** `<team path>/<name>`, or the uuid. */
export const ProfileParams = Type.Object({
  id: Type.String({
    maxLength: 600,
    pattern: '^([a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){0,8}|[0-9A-Fa-f-]{36})$',
    description: 'The id, or the URL-encoded identifier, such as acme%2Fweb%2Fnode24.',
  }),
})

const ProfileEnvironment = Type.Record(
  Type.String({ pattern: '^(?!SIGNALBOX_)[A-Za-z_][A-Za-z0-9_]{0,127}$' }),
  Type.String({ maxLength: 32_768 }),
  { additionalProperties: false, maxProperties: 100, description: 'Of every task; a pipeline may override it.' },
)

const ProfileResources = Type.Object(
  {
    cpus: Type.Optional(Type.Number({ minimum: 0.01, maximum: 1024 })),
    memory_mb: Type.Optional(Type.Integer({ minimum: 16, maximum: 16_777_216 })),
  },
  { ...STRICT, description: 'Limits of the container; a host profile has none.' },
)

const Image = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Reference of a container image, such as node:24-slim or ghcr.io/acme/web:1.',
})

export const Profile = Type.Object({
  id: Uuid,
  team_path: TeamPath,
  name: ProfileName,
  identifier: Type.String({ ...OURS, description: '<team path>/<name>' }),
  executor: Executor,
  image: Nullable(Image, { description: 'Null for the host executor.' }),
  labels: Labels,
  environment: ProfileEnvironment,
  resources: ProfileResources,
  created_at: Time,
  updated_at: Time,
})
export type Profile = Static<typeof Profile>

/** Fields that only the service sets; a profile that was read can be written back. */
const readOnly = {
  id: ReadOnly,
  identifier: ReadOnly,
  created_at: ReadOnly,
  updated_at: ReadOnly,
}

const content = {
  executor: Executor,
  image: Type.Optional(Nullable(Image)),
  labels: Type.Optional(Labels),
  environment: Type.Optional(ProfileEnvironment),
  resources: Type.Optional(ProfileResources),
}

export const ProfileInput = Type.Object({ team_path: TeamPath, name: ProfileName, ...content, ...readOnly }, STRICT)
export type ProfileInput = Static<typeof ProfileInput>

/** The whole content anew. Team and name stay: pipelines name the profile by them. */
export const ProfileReplacement = Type.Object(
  { team_path: Type.Optional(TeamPath), name: Type.Optional(ProfileName), ...content, ...readOnly },
  STRICT,
)
export type ProfileReplacement = Static<typeof ProfileReplacement>

export const ProfileQuery = Type.Object(
  {
    ...pageQuery,
    team_path: Type.Optional(TeamPath),
  },
  STRICT,
)
export type ProfileQuery = Static<typeof ProfileQuery>
