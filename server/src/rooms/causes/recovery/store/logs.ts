import { findOne, type Queryable, type RowOf } from '#platform/database'

/** A webhook whose log the provider keeps; an empty repository: that of an app. */
export interface LogPlace {
  readonly sourceId: string
  /** In lower case. */
  readonly repository: string
}

export type StoredLog = RowOf<'recovery_logs'>

export function findLog(db: Queryable, place: LogPlace): Promise<StoredLog | undefined> {
  return findOne(
    db
      .selectFrom('recovery_logs')
      .selectAll()
      .where('source_id', '=', place.sourceId)
      .where('repository', '=', place.repository),
  )
}

export interface LookedLog {
  readonly seenUntil: Date | null
  readonly walkCursor: string | null
  readonly walkTop: Date | null
  readonly walkedPages: number
  readonly lookedAt: Date
  readonly reason: string | null
}

export async function storeLooked(db: Queryable, place: LogPlace, looked: LookedLog): Promise<void> {
  const row = {
    seen_until: looked.seenUntil,
    walk_cursor: looked.walkCursor,
    walk_top: looked.walkTop,
    walked_pages: looked.walkedPages,
    looked_at: looked.lookedAt,
    failed_at: null,
    reason: looked.reason,
    not_before: null,
  }
  await db
    .insertInto('recovery_logs')
    .values({ source_id: place.sourceId, repository: place.repository, ...row })
    .onConflict((conflict) => conflict.columns(['source_id', 'repository']).doUpdateSet(row))
    .execute()
}

export interface FailedLook {
  readonly failedAt: Date
  readonly reason: string
  readonly notBefore: Date | null
  /** The next look begins at the newest attempt. */
  readonly forgetsCursor: boolean
}

export async function storeFailure(db: Queryable, place: LogPlace, failure: FailedLook): Promise<void> {
  const walk = failure.forgetsCursor ? { walk_cursor: null, walk_top: null, walked_pages: 0 } : {}
  const row = { failed_at: failure.failedAt, reason: failure.reason, not_before: failure.notBefore, ...walk }
  await db
    .insertInto('recovery_logs')
    .values({ source_id: place.sourceId, repository: place.repository, ...row })
    .onConflict((conflict) => conflict.columns(['source_id', 'repository']).doUpdateSet(row))
    .execute()
}
