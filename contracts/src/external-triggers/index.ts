import { type Static, type TProperties, Type } from 'typebox'
import { Nullable, Owner, pageQuery, ReadOnly, Scope, ShownOnce, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'
import { PipelineIdentifier } from '../pipelines/index.ts'

const variableName = { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' } as const

const writable = {
  team_path: TeamPath,
  name: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
    description: 'Unique in its team: lower-case letters, digits, - and _, at most 63 characters.',
  }),
  pipeline: PipelineIdentifier,
  scope: Type.String({
    ...Scope,
    description: '<team path>/<environment>. Default: the only environment of the team of the pipeline.',
  }),
  variables: Type.Record(Type.String(variableName), Type.String({ maxLength: 32_768 }), {
    maxProperties: 100,
    additionalProperties: false,
    description: 'What each of its runs starts with.',
  }),
  allowed_variables: Type.Array(Type.String(variableName), {
    maxItems: 100,
    uniqueItems: true,
    description: 'Names of variables of the pipeline that who fires it may set. Empty: none.',
  }),
  run_team_path: Nullable(
    Type.String({ ...TeamPath, description: 'Team that hears of its runs; null: that of the pipeline.' }),
  ),
  rate_limit: Type.Object(
    { per_minute: Type.Integer({ minimum: 1, maximum: 10_000 }) },
    { ...STRICT, description: 'How often it may be fired. Default 60 a minute.' },
  ),
  enabled: Type.Boolean({
    description: 'Default true. The secret of a disabled one is answered as a wrong secret is.',
  }),
} satisfies TProperties

const readOnly = {
  id: Uuid,
  identifier: Type.String({ description: '<team path>/<name>' }),
  url: Type.String({
    description: 'Address to POST to, with the secret or a token as the bearer. Without `base_url` it has no host.',
  }),
  secret_set_at: Time,
  owner: Owner,
  last_fired_at: Nullable(Time),
  last_run_id: Nullable(Uuid),
  last_refusal: Nullable(
    Type.String({
      description: 'Why its last fire by secret started nothing, in one sentence; null after one that did.',
    }),
  ),
  created_at: Time,
  updated_at: Time,
} satisfies TProperties

export const ExternalTrigger = Type.Object({ ...writable, ...readOnly })
export type ExternalTrigger = Static<typeof ExternalTrigger>

/** What a POST and a rotation answer: the only time that the secret is told. */
export const ExternalTriggerSecret = Type.Object({
  ...ExternalTrigger.properties,
  secret: ShownOnce('Give it as the bearer token. It is stored as a hash and never shown again.'),
  secret_url: ShownOnce(
    'An address that fires by itself, for senders that can set no header. Whoever knows it can fire.',
  ),
})
export type ExternalTriggerSecret = Static<typeof ExternalTriggerSecret>

const ignored = {
  id: ReadOnly,
  identifier: ReadOnly,
  url: ReadOnly,
  secret_set_at: ReadOnly,
  owner: ReadOnly,
  last_fired_at: ReadOnly,
  last_run_id: ReadOnly,
  last_refusal: ReadOnly,
  created_at: ReadOnly,
  updated_at: ReadOnly,
} satisfies TProperties

const { team_path, name, pipeline, ...optional } = writable

/** Body of POST and PUT. */
export const ExternalTriggerDocument = Type.Object(
  { team_path, name, pipeline, ...Type.Partial(Type.Object(optional)).properties, ...ignored },
  STRICT,
)
export type ExternalTriggerDocument = Static<typeof ExternalTriggerDocument>

export const ExternalTriggerPatch = Type.Object(
  { ...Type.Partial(Type.Object(writable)).properties, ...ignored },
  STRICT,
)
export type ExternalTriggerPatch = Static<typeof ExternalTriggerPatch>

export const ExternalTriggerParams = Type.Object({
  id: Type.String({
    maxLength: 600,
    pattern: '^([a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){1,8}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
    description: 'The id, or the URL-encoded identifier, such as acme%2Fweb%2Fdeploy.',
  }),
})

export const ExternalTriggerSecretParams = Type.Object({
  ...ExternalTriggerParams.properties,
  secret: Type.String({ minLength: 1, maxLength: 200 }),
})

export const ExternalTriggerQuery = Type.Object({ ...pageQuery, team_path: Type.Optional(TeamPath) }, STRICT)
export type ExternalTriggerQuery = Static<typeof ExternalTriggerQuery>

/** Body of a fire. */
export const ExternalFire = Nullable(
  Type.Object(
    {
      variables: Type.Optional(
        Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 65_536 }), {
          maxProperties: 100,
          description: 'Only names that `allowed_variables` lists.',
        }),
      ),
    },
    STRICT,
  ),
)
export type ExternalFire = Static<typeof ExternalFire>

export const ExternalFireAnswer = Type.Object({ run_id: Uuid, status: Type.String({ description: 'queued' }) })
export type ExternalFireAnswer = Static<typeof ExternalFireAnswer>
