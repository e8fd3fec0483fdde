import { EVENT_KINDS, type EventKind } from '@signalbox/contracts/event'
import type { Selectable } from 'kysely'
import { type DB, type Queryable, withinPrefixes } from '#platform/database'
import type { Trigger, TriggerOwner } from './rules/index.ts'

/** Every trigger, oldest first: for the index in memory. */
export async function listAllTriggers(db: Queryable): Promise<Trigger[]> {
  const rows = await db.selectFrom('triggers').selectAll().orderBy('id').execute()
  return rows.map(toTrigger)
}

/** Raised in the transaction of each change of a trigger. */
export async function readRevision(db: Queryable): Promise<number> {
  const row = await db.selectFrom('triggers_revision').select('revision').executeTakeFirstOrThrow()
  return row.revision
}

export interface TriggerFilter {
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
  readonly sourceId: string | undefined
  readonly before: string | undefined
  readonly limit: number
}

export async function listTriggers(db: Queryable, filter: TriggerFilter): Promise<Trigger[]> {
  let query = db
    .selectFrom('triggers')
    .selectAll()
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath !== undefined) query = query.where('team_path', '=', filter.teamPath)
  if (filter.sourceId !== undefined) query = query.where('source_id', '=', filter.sourceId)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toTrigger)
}

export async function findTrigger(db: Queryable, id: string): Promise<Trigger | undefined> {
  const row = await db.selectFrom('triggers').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toTrigger(row)
}

/** Locked until the transaction ends, so that two writes of one trigger come one after the other. */
export async function lockTrigger(db: Queryable, id: string): Promise<Trigger | undefined> {
  const row = await db.selectFrom('triggers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toTrigger(row)
}

export async function insertTrigger(db: Queryable, trigger: Trigger): Promise<void> {
  await db
    .insertInto('triggers')
    .values({ ...columns(trigger), id: trigger.id, created_at: trigger.createdAt })
    .execute()
}

export async function updateTrigger(db: Queryable, trigger: Trigger): Promise<void> {
  await db.updateTable('triggers').set(columns(trigger)).where('id', '=', trigger.id).execute()
}

export async function deleteTrigger(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('triggers').where('id', '=', id).execute()
}

/** The foreign key takes `source_id` away; this keeps the memory that there was one. Answers the triggers concerned. */
export async function markSourceLost(
  db: Queryable,
  sourceId: string,
  at: Date,
): Promise<readonly { readonly id: string; readonly name: string; readonly teamPath: string }[]> {
  const rows = await db
    .updateTable('triggers')
    .set({ source_id: null, source_lost_at: at, updated_at: at })
    .where('source_id', '=', sourceId)
    .returning(['id', 'name', 'team_path'])
    .execute()
  return rows.map((row) => ({ id: row.id, name: row.name, teamPath: row.team_path }))
}

export async function countBySource(db: Queryable, sourceIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('triggers')
    .select((of) => ['source_id', of.fn.countAll<number>().as('count')])
    .where('source_id', 'in', [...sourceIds])
    .groupBy('source_id')
    .execute()
  return new Map(rows.map((row) => [row.source_id ?? '', row.count]))
}

function columns(trigger: Trigger) {
  return {
    team_path: trigger.teamPath,
    name: trigger.name,
    source_id: trigger.sourceId,
    source_lost_at: trigger.sourceLostAt,
    repositories: [...trigger.repositories],
    events: [...trigger.events],
    actions: [...trigger.actions],
    branches: [...trigger.branches],
    tags: [...trigger.tags],
    paths: [...trigger.paths],
    condition: trigger.condition,
    pipeline: trigger.pipeline,
    scope: trigger.scope,
    variables: JSON.stringify(trigger.variables),
    enabled: trigger.enabled,
    owner_kind: trigger.owner.kind,
    owner_id: trigger.owner.id,
    owner_name: trigger.owner.name,
    updated_at: trigger.updatedAt,
  }
}

function toTrigger(row: Selectable<DB['triggers']>): Trigger {
  return {
    id: row.id,
    teamPath: row.team_path,
    name: row.name,
    sourceId: row.source_id,
    sourceLostAt: row.source_lost_at,
    repositories: row.repositories,
    events: row.events.filter(isEventKind),
    actions: row.actions,
    branches: row.branches,
    tags: row.tags,
    paths: row.paths,
    condition: row.condition,
    pipeline: row.pipeline,
    scope: row.scope,
    variables: toVariables(row.variables),
    enabled: row.enabled,
    owner: { kind: toOwnerKind(row.owner_kind), id: row.owner_id, name: row.owner_name },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const KINDS: ReadonlySet<string> = new Set(EVENT_KINDS)

function isEventKind(text: string): text is EventKind {
  return KINDS.has(text)
}

function toOwnerKind(text: string): TriggerOwner['kind'] {
  return text === 'service_account' || text === 'bootstrap' ? text : 'user'
}

function toVariables(json: unknown): Record<string, string> {
  if (typeof json !== 'object' || json === null) return {}
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, String(value)]))
}
