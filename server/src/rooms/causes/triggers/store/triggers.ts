import { type Queryable, type RowOf, toCamel, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'
import type { Trigger } from '../rules/index.ts'
import { toRow, toTrigger } from './rows.ts'

export interface TriggerFilter extends Window {
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
  readonly sourceId: string | undefined
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
  await db.insertInto('triggers').values(toRow(trigger)).execute()
}

export async function updateTrigger(db: Queryable, trigger: Trigger): Promise<void> {
  await db.updateTable('triggers').set(toRow(trigger)).where('id', '=', trigger.id).execute()
}

export async function deleteTrigger(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('triggers').where('id', '=', id).execute()
}

export type LostTrigger = RowOf<'triggers', 'id' | 'name' | 'team_path'>

/** The foreign key takes `source_id` away; this keeps the memory that there was one. Answers the triggers concerned. */
export async function markSourceLost(db: Queryable, sourceId: string, at: Date): Promise<readonly LostTrigger[]> {
  const rows = await db
    .updateTable('triggers')
    .set({ source_id: null, source_lost_at: at, updated_at: at })
    .where('source_id', '=', sourceId)
    .returning(['id', 'name', 'team_path'])
    .execute()
  return rows.map(toCamel)
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

/** Those of all teams that start these pipelines, in which scopes; those that are disabled as well. */
export async function listStarting(
  db: Queryable,
  pipelines: readonly string[],
  most: number,
): Promise<RowOf<'triggers', 'pipeline' | 'scope' | 'team_path'>[]> {
  if (pipelines.length === 0) return []
  const rows = await db
    .selectFrom('triggers')
    .select(['pipeline', 'scope', 'team_path'])
    .distinct()
    .where('pipeline', 'in', [...pipelines])
    .limit(most)
    .execute()
  return rows.map(toCamel)
}
