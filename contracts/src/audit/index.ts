import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, pageQuery, STRICT, Time, Uuid } from '../http/index.ts'

const Actor = Type.Object({
  kind: Type.Enum(['user', 'service_account', 'bootstrap', 'system', 'runner']),
  id: OwnName,
  name: OwnName,
})

export const AuditRecord = Type.Object({
  id: Uuid,
  occurred_at: Time,
  actor: Actor,
  action: Type.String({ ...OURS, description: '<resource>.<verb in past tense>, such as webhook_source.created.' }),
  resource: Type.Object({ kind: OwnName, id: Type.String() }),
  team_path: Type.String({ ...OURS, description: '"/" for the platform itself.' }),
  address: OwnName,
  request_id: OwnName,
  token_id: Nullable(Uuid, { description: 'The token of the request; null for a session and for the product itself.' }),
  before: Nullable(Type.Unknown()),
  after: Nullable(Type.Unknown()),
})
export type AuditRecord = Static<typeof AuditRecord>

export const AuditQuery = Type.Object(
  {
    ...pageQuery,
    resource: Type.Optional(Type.String({ description: '<kind> or <kind>:<id>' })),
    subject: Type.Optional(Type.String({ description: 'Id of the actor.' })),
    token: Type.Optional(Uuid),
    action: Type.Optional(
      Type.String({
        pattern: '^[a-z_.]{1,100}\\*?$',
        description: 'Such as token.created; token.* is all that begin so.',
      }),
    ),
    tool: Type.Optional(Type.String({ maxLength: 100, description: 'Calls of this tool of agents.' })),
    client: Type.Optional(Type.String({ maxLength: 200, description: 'Calls of tools by this client.' })),
    since: Type.Optional(Time),
  },
  STRICT,
)
export type AuditQuery = Static<typeof AuditQuery>
