import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

export interface PostedKey {
  readonly callerKind: string
  readonly callerId: string
  readonly deliveryId: string
}

/** The first answer to a delivery id of this caller; undefined where there is none. */
export async function findPosted(db: Queryable, key: PostedKey): Promise<unknown> {
  const row = await db
    .selectFrom('posted_events')
    .select('answer')
    .where('caller_kind', '=', key.callerKind)
    .where('caller_id', '=', key.callerId)
    .where('delivery_id', '=', key.deliveryId)
    .executeTakeFirst()
  return row?.answer
}

/** False: it was posted before. Waits for another transaction that posts the same. */
export async function claimPosted(
  db: Queryable,
  key: PostedKey,
  posted: { readonly eventId: string; readonly answer: unknown; readonly at: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('posted_events')
    .values({
      caller_kind: key.callerKind,
      caller_id: key.callerId,
      delivery_id: key.deliveryId,
      event_id: posted.eventId,
      answer: JSON.stringify(posted.answer),
      posted_at: posted.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return row !== undefined
}

/** At most `limit` at a time. Answers how many went. */
export async function dropPosted(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from posted_events where (caller_kind, caller_id, delivery_id) in
      (select caller_kind, caller_id, delivery_id from posted_events where posted_at < ${before} limit ${limit})`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0)
}
