import { type Static, Type } from 'typebox'
import { Nullable, pageQuery, STRICT, Time, Uuid } from '../http/index.ts'

const Actor = Type.Object({
  kind: Type.Enum(['user', 'service_account', 'bootstrap', 'system', 'runner']),
  id: Type.String(),
  name: Type.String(),
})

export const AuditRecord = Type.Object({
  id: Uuid,
  occurred_at: Time,
  actor: Actor,
  action: Type.String({ description: '<resource>.<verb in past tense>, such as webhook_source.created.' }),
  resource: Type.Object({ kind: Type.String(), id: Type.String() }),
  team_path: Type.String({ description: '"/" for the platform itself.' }),
  address: Type.String(),
  request_id: Type.String(),
  before: Nullable(Type.Unknown()),
  after: Nullable(Type.Unknown()),
})
export type AuditRecord = Static<typeof AuditRecord>

export const AuditQuery = Type.Object(
  {
    ...pageQuery,
    resource: Type.Optional(Type.String({ description: '<kind> or <kind>:<id>' })),
    subject: Type.Optional(Type.String({ description: 'Id of the actor.' })),
    since: Type.Optional(Time),
  },
  STRICT,
)
export type AuditQuery = Static<typeof AuditQuery>
