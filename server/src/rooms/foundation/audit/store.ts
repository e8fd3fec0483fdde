import { type Queryable, type RowOf, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'

const COLUMNS = [
  'id',
  'occurred_at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'resource_kind',
  'resource_id',
  'team_path',
  'address',
  'request_id',
  'before',
  'after',
] as const

export type AuditRow = RowOf<'audit_records', (typeof COLUMNS)[number]>

export interface AuditFilter extends Window {
  readonly prefixes: readonly string[]
  readonly resourceKind: string | undefined
  readonly resourceId: string | undefined
  readonly actorId: string | undefined
  readonly since: Date | undefined
}

export async function insertAudit(db: Queryable, row: AuditRow): Promise<void> {
  const states = { before: toJson(row.before), after: toJson(row.after) }
  await db
    .insertInto('audit_records')
    .values({ ...toSnake(row), ...states })
    .execute()
}

/** Served by the primary key backwards, or by the index of the filter given. */
export async function listAudit(db: Queryable, filter: AuditFilter): Promise<AuditRow[]> {
  let query = db
    .selectFrom('audit_records')
    .select(COLUMNS)
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.resourceKind) query = query.where('resource_kind', '=', filter.resourceKind)
  if (filter.resourceId) query = query.where('resource_id', '=', filter.resourceId)
  if (filter.actorId) query = query.where('actor_id', '=', filter.actorId)
  if (filter.since) query = query.where('occurred_at', '>=', filter.since)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

/** A state may be any JSON, also a list or a text, which the driver would send as something else. */
function toJson(state: unknown): string | null {
  return state === null ? null : JSON.stringify(state)
}
