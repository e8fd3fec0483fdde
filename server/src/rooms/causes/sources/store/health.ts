import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import { lowestIdOf } from '#platform/ids'

/** The number of answers that health looks at: more in a row tell nothing more. */
const NEWEST = 1000
/** The number of unmapped events whose kinds are counted. */
const UNUSABLE = 10_000
const KINDS = 50

export interface NewestAnswers {
  readonly lastDeliveryAt: Date | null
  /** Of the newest deliveries in a row, until the first that was answered with 2xx; pings and tests are neither. */
  readonly rejectedInARow: number
  /** The deliveries with a proved sender among these. */
  readonly provedInARow: number
  readonly newestRefusal: { readonly statusCode: number; readonly reason: string } | null
}

/** `most`: fewer answers tell whether a source fails, if not for how long. */
export async function readNewestAnswers(db: Queryable, sourceId: string, most = NEWEST): Promise<NewestAnswers> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['received_at', 'status_code', 'reason', 'result', 'verification', 'unusable'])
    .where('source_id', '=', sourceId)
    .where('replay_of', 'is', null)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  const counted = rows.filter((row) => !isTest(row))
  const firstGood = counted.findIndex((row) => row.status_code < 300)
  const refused = firstGood === -1 ? counted : counted.slice(0, firstGood)
  const [newest] = refused
  return {
    lastDeliveryAt: rows[0]?.received_at ?? null,
    rejectedInARow: refused.length,
    provedInARow: refused.filter(({ verification }) => verification === 'verified').length,
    newestRefusal: newest ? { statusCode: newest.status_code, reason: newest.reason } : null,
  }
}

/** A ping, or a provider's own test: it could be read, and no event of its kind will ever be of use. */
function isTest(row: { readonly result: string; readonly unusable: boolean }): boolean {
  return row.result === 'unprocessable' && !row.unusable
}

/** By the index of source and result: the results that are answered with 2xx. */
export async function findLastAccepted(db: Queryable, sourceId: string): Promise<Date | null> {
  const { rows } = await sql<{ receivedAt: Date }>`
    select newest.received_at as "receivedAt"
    from unnest(array['accepted', 'ignored', 'duplicate']) as good(result)
    cross join lateral (
      select received_at from deliveries
      where source_id = ${sourceId} and deliveries.result = good.result and replay_of is null
      order by id desc limit 1
    ) as newest
    order by newest.received_at desc limit 1`.execute(db)
  return rows[0]?.receivedAt ?? null
}

export interface UnusableKind {
  readonly eventType: string
  readonly action: string | null
  readonly count: number
  readonly lastAt: Date
}

/** Most frequent first. */
export async function countUnusable(db: Queryable, sourceId: string, since: Date): Promise<readonly UnusableKind[]> {
  const { rows } = await sql<UnusableKind>`
    select event_type as "eventType", action, count(*) as count, max(received_at) as "lastAt"
    from (
      select event_type, action, received_at from deliveries
      where source_id = ${sourceId} and unusable and replay_of is null and id >= ${lowestIdOf(since.getTime())}
      order by id desc limit ${UNUSABLE}
    ) as newest
    group by event_type, action order by count(*) desc, event_type, action limit ${KINDS}`.execute(db)
  return rows
}
