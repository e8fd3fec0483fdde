import { type Selectable, sql } from 'kysely'
import { type DB, type Queryable, withinPrefixes } from '#platform/database'

/** A run that a schedule or an external trigger started and that has not finished. */
export interface UnfinishedRun {
  readonly id: string
  readonly scheduleId: string
  /** Nobody has begun it yet. */
  readonly queued: boolean
}

export async function listUnfinishedOf(db: Queryable, scheduleIds: readonly string[]): Promise<UnfinishedRun[]> {
  if (scheduleIds.length === 0) return []
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'schedule_id', 'status'])
    .where('schedule_id', '=', sql<string>`any(${scheduleIds}::uuid[])`)
    .where('finished_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, schedule_id: scheduleId, status }) =>
    scheduleId === null ? [] : [{ id, scheduleId, queued: status === 'queued' }],
  )
}

const RECENT = ['id', 'team_path', 'status', 'scheduled_at', 'queued_at', 'started_at', 'finished_at'] as const

export type RecentRun = Readonly<Pick<Selectable<DB['runs']>, (typeof RECENT)[number]>>

/** Only runs of these teams and of the teams below them. */
export interface RecentFilter {
  readonly prefixes: readonly string[]
  readonly limit: number
}

export async function listRecentOf(
  db: Queryable,
  scheduleId: string,
  { prefixes, limit }: RecentFilter,
): Promise<RecentRun[]> {
  return await db
    .selectFrom('runs')
    .select(RECENT)
    .where('schedule_id', '=', scheduleId)
    .where(withinPrefixes('team_path', prefixes))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** How many of these have not finished. */
export async function countUnfinished(db: Queryable, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { count } = await db
    .selectFrom('runs')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('id', 'in', [...ids])
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The team of each of these runs. */
export async function listTeams(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'team_path'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row.team_path]))
}
