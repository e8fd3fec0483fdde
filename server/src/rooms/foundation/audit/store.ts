import type { Selectable } from 'kysely'
import { type DB, type Queryable, withinPrefixes } from '#platform/database'

export interface AuditRow {
  readonly id: string
  readonly occurredAt: Date
  readonly actor: {
    readonly kind: Selectable<DB['audit_records']>['actor_kind']
    readonly id: string
    readonly name: string
  }
  readonly action: string
  readonly resource: { readonly kind: string; readonly id: string }
  readonly teamPath: string
  readonly address: string
  readonly requestId: string
  readonly before: unknown
  readonly after: unknown
}

export interface AuditFilter {
  readonly prefixes: readonly string[]
  readonly resourceKind: string | undefined
  readonly resourceId: string | undefined
  readonly actorId: string | undefined
  readonly since: Date | undefined
  readonly before: string | undefined
  readonly limit: number
}

export async function insertAudit(db: Queryable, row: AuditRow): Promise<void> {
  await db
    .insertInto('audit_records')
    .values({
      id: row.id,
      occurred_at: row.occurredAt,
      actor_kind: row.actor.kind,
      actor_id: row.actor.id,
      actor_name: row.actor.name,
      action: row.action,
      resource_kind: row.resource.kind,
      resource_id: row.resource.id,
      team_path: row.teamPath,
      address: row.address,
      request_id: row.requestId,
      before: row.before === null ? null : JSON.stringify(row.before),
      after: row.after === null ? null : JSON.stringify(row.after),
    })
    .execute()
}

/** Served by the primary key backwards, or by the index of the filter given. */
export async function listAudit(db: Queryable, filter: AuditFilter): Promise<AuditRow[]> {
  let query = db
    .selectFrom('audit_records')
    .select(['id', 'occurred_at', 'actor_kind', 'actor_id', 'actor_name', 'action', 'resource_kind', 'resource_id'])
    .select(['team_path', 'address', 'request_id', 'before', 'after'])
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.resourceKind) query = query.where('resource_kind', '=', filter.resourceKind)
  if (filter.resourceId) query = query.where('resource_id', '=', filter.resourceId)
  if (filter.actorId) query = query.where('actor_id', '=', filter.actorId)
  if (filter.since) query = query.where('occurred_at', '>=', filter.since)
  if (filter.before) query = query.where('id', '<', filter.before)
  const rows = await query.execute()
  return rows.map((row) => ({
    id: row.id,
    occurredAt: row.occurred_at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    resource: { kind: row.resource_kind, id: row.resource_id },
    teamPath: row.team_path,
    address: row.address,
    requestId: row.request_id,
    before: row.before,
    after: row.after,
  }))
}
