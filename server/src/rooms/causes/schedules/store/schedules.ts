import { type Queryable, type RowOf, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'
import { isUuid } from '#platform/ids'

export type Schedule = RowOf<'schedules'>

export interface ScheduleFilter extends Window {
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
  readonly enabled: boolean | undefined
}

export async function listSchedules(db: Queryable, filter: ScheduleFilter): Promise<Schedule[]> {
  let query = db
    .selectFrom('schedules')
    .selectAll()
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath !== undefined) query = query.where('team_path', '=', filter.teamPath)
  if (filter.enabled !== undefined) query = query.where('enabled', '=', filter.enabled)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

/** By uuid, or by `<team path>/<name>`. */
export async function findSchedule(db: Queryable, idOrIdentifier: string): Promise<Schedule | undefined> {
  const row = await ofName(db, idOrIdentifier).executeTakeFirst()
  return row && toCamel(row)
}

/** Locked until the transaction ends: no scheduler fires it meanwhile, and writes come one after the other. */
export async function lockSchedule(db: Queryable, idOrIdentifier: string): Promise<Schedule | undefined> {
  const row = await ofName(db, idOrIdentifier).forUpdate().executeTakeFirst()
  return row && toCamel(row)
}

function ofName(db: Queryable, idOrIdentifier: string) {
  const query = db.selectFrom('schedules').selectAll()
  if (isUuid(idOrIdentifier)) return query.where('id', '=', idOrIdentifier)
  const slash = idOrIdentifier.lastIndexOf('/')
  return query
    .where('team_path', '=', idOrIdentifier.slice(0, slash))
    .where('name', '=', idOrIdentifier.slice(slash + 1))
}

export async function insertSchedule(db: Queryable, schedule: Schedule): Promise<void> {
  await db.insertInto('schedules').values(toSnake(schedule)).execute()
}

export async function updateSchedule(db: Queryable, schedule: Schedule): Promise<void> {
  await db.updateTable('schedules').set(toSnake(schedule)).where('id', '=', schedule.id).execute()
}

export async function deleteSchedule(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('schedules').where('id', '=', id).execute()
}

/** Those of all teams that start these pipelines, in which scopes; those that are disabled as well. */
export async function listStarting(
  db: Queryable,
  pipelines: readonly string[],
  most: number,
): Promise<RowOf<'schedules', 'pipeline' | 'scope' | 'team_path'>[]> {
  if (pipelines.length === 0) return []
  const rows = await db
    .selectFrom('schedules')
    .select(['pipeline', 'scope', 'team_path'])
    .distinct()
    .where('pipeline', 'in', [...pipelines])
    .limit(most)
    .execute()
  return rows.map(toCamel)
}
