import { sql } from 'kysely'
import { findOne, type Queryable } from '#platform/database'

export interface PostedKey {
  readonly callerKind: string
  readonly callerId: string
  readonly deliveryId: string
}

/** The first answer to an event. */
export interface FirstPost {
  readonly eventId: string
  readonly answer: unknown
  /** Of the whole body; null: another body may come under the same key. */
  readonly bodySha256: Buffer | null
}

/** The caller's first post under this key; undefined where there is none. */
export async function findPosted(db: Queryable, key: PostedKey): Promise<FirstPost | undefined> {
  return findOne(
    db
      .selectFrom('posted_events')
      .select(['event_id', 'answer', 'body_sha256'])
      .where('caller_kind', '=', key.callerKind)
      .where('caller_id', '=', key.callerId)
      .where('delivery_id', '=', key.deliveryId),
  )
}

/** False: it was posted before. Waits for another transaction that posts the same. */
export async function claimPosted(
  db: Queryable,
  key: PostedKey,
  posted: FirstPost & { readonly at: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('posted_events')
    .values({
      caller_kind: key.callerKind,
      caller_id: key.callerId,
      delivery_id: key.deliveryId,
      event_id: posted.eventId,
      answer: JSON.stringify(posted.answer),
      body_sha256: posted.bodySha256,
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
