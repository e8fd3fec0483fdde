import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Queryable, type RowOf, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'
import { lowestIdOf } from '#platform/ids'

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
  'token_id',
  'before',
  'after',
] as const

export type AuditRow = RowOf<'audit_records', (typeof COLUMNS)[number]>

/** One action, or all that begin so. */
export interface ActionFilter {
  readonly text: string
  readonly isPrefix: boolean
}

export interface AuditFilter extends Window {
  readonly prefixes: readonly string[]
  readonly resourceKind: string | undefined
  readonly resourceId: string | undefined
  readonly actorId: string | undefined
  readonly tokenId?: string | undefined
  readonly action?: ActionFilter | undefined
  /** Any of these; with a resource, whose index leads to its records. */
  readonly actions?: readonly string[] | undefined
  /** Of calls of tools. */
  readonly client?: string | undefined
  readonly since: Date | undefined
}

export async function insertAudit(db: Queryable, row: AuditRow): Promise<void> {
  const states = { before: toJson(row.before), after: toJson(row.after) }
  await db
    .insertInto('audit_records')
    .values({ ...toSnake(row), ...states })
    .execute()
}

/** Many records in one statement, which is always the same and therefore prepared. */
export async function insertAudits(db: Queryable, rows: readonly AuditRow[]): Promise<void> {
  await sql`
    insert into audit_records (id, occurred_at, actor_kind, actor_id, actor_name, action, resource_kind, resource_id,
      team_path, address, request_id, token_id, before, after)
    select * from json_to_recordset(${JSON.stringify(rows.map(toSnake), asStorable)}) as row (id uuid, occurred_at timestamptz,
      actor_kind text, actor_id text, actor_name text, action text, resource_kind text, resource_id text,
      team_path text, address text, request_id text, token_id uuid, before jsonb, after jsonb)`.execute(db)
}

/** PostgreSQL stores no half of a surrogate pair, which cutting a text may leave. */
function asStorable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
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
  if (filter.tokenId) query = query.where('token_id', '=', filter.tokenId)
  if (filter.action) query = query.where(actionIs(filter.action))
  if (filter.actions) query = query.where('action', 'in', [...filter.actions])
  if (filter.client !== undefined) query = query.where(calledBy(filter.client))
  if (filter.since) query = query.where('occurred_at', '>=', filter.since).where('id', '>=', idBefore(filter.since))
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

/** A record gets its id and its instant one after the other. */
const APART_MS = 60_000

/** No record since then has a lower id. The key bounds what is read, so that the instant needs no index. */
function idBefore(since: Date): string {
  return lowestIdOf(since.getTime() - APART_MS)
}

/** The collation is that of the index: only so its order serves a prefix. */
function actionIs({ text, isPrefix }: ActionFilter): RawBuilder<SqlBool> {
  if (!isPrefix) return sql`action collate "C" = ${text}`
  // '~' is behind every character of an action.
  return sql`action collate "C" >= ${text} and action collate "C" < ${`${text}~`}`
}

/** As the index of calls of tools is written. */
function calledBy(client: string): RawBuilder<SqlBool> {
  return sql`action = 'tool.called' and after ->> 'client' = ${client}`
}

/** What was written by one plan, in order, also within the transaction that writes it. Served by an index of its own. */
export async function listByPlan(db: Queryable, planId: string): Promise<AuditRow[]> {
  const rows = await db
    .selectFrom('audit_records')
    .select(COLUMNS)
    .where(sql<SqlBool>`after ->> 'plan_id' = ${planId}`)
    // The call of the tool that asked for it is no part of it.
    .where('action', '<>', 'tool.called')
    .orderBy('id')
    .limit(100)
    .execute()
  return rows.map(toCamel)
}

/** A state may be any JSON, also a list or a text, which the driver would send as something else. */
function toJson(state: unknown): string | null {
  return state === null ? null : JSON.stringify(state)
}
