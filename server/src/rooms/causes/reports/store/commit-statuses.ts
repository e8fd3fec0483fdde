import { sql } from 'kysely'
import { type Queryable, type RowOf, type Tx, toCamel, toSnake } from '#platform/database'
import { lowestIdOf } from '#platform/ids'

/** One status at the provider. */
export type StatusPlace = RowOf<'commit_statuses', 'source_id' | 'repository' | 'commit_sha' | 'context'>

export type StoredStatus = RowOf<'commit_statuses', 'run_id' | 'told' | 'held_until'>

/** The status as stored, of this run where it is new; locked until the transaction ends. */
export async function lockStatus(tx: Tx, place: StatusPlace, runId: string): Promise<StoredStatus> {
  await tx
    .insertInto('commit_statuses')
    .values({ ...columns(place), run_id: runId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom('commit_statuses')
    .select(['run_id', 'told', 'held_until'])
    .where((is) => is.and(columns(place)))
    .forUpdate()
    .executeTakeFirstOrThrow()
  return toCamel(row)
}

/**
 * The status tells of this run, and no other report calls the provider until then. The state at the provider is
 * uncertain.
 */
export async function reserveStatus(tx: Tx, place: StatusPlace, runId: string, reservedUntil: Date): Promise<void> {
  await tx
    .updateTable('commit_statuses')
    .set({ run_id: runId, told: null, held_until: reservedUntil })
    .where((is) => is.and(columns(place)))
    .execute()
}

/** Ends what `reserveStatus` began, unless its time was over and another report has it. */
export async function releaseStatus(
  db: Queryable,
  place: StatusPlace,
  reservedUntil: Date,
  told: string | null,
): Promise<void> {
  await db
    .updateTable('commit_statuses')
    .set({ told, held_until: null })
    .where((is) => is.and(columns(place)))
    .where('held_until', '=', reservedUntil)
    .execute()
}

/** Statuses of runs that were queued before the instant, at most `limit`. Answers how many went. */
export async function dropStatuses(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from commit_statuses where ctid = any (array(
      select ctid from commit_statuses where run_id < ${lowestIdOf(before.getTime())}
      order by run_id limit ${limit}))`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Deletes statuses of a deleted source, at most `limit`. Answers how many went. */
export async function dropStatusesOf(db: Queryable, sourceId: string, limit: number): Promise<number> {
  const result = await sql`
    delete from commit_statuses where ctid = any (array(
      select ctid from commit_statuses where source_id = ${sourceId} limit ${limit}))`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

function columns(place: StatusPlace) {
  return toSnake({ ...place, repository: place.repository.toLowerCase() })
}
