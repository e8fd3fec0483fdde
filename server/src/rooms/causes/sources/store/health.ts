import { sql } from 'kysely'
import { type Queryable, withinPrefixes } from '#platform/database'
import { lowestIdOf } from '#platform/ids'

/** What this service made without a delivery says nothing of the webhook. */
const NOT_MADE = sql`not (verification = 'not_checked' and status_code < 300)`

/** What a verdict on a source says of it, beside its deliveries. */
export interface JudgedSource {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly enabled: boolean
  readonly updatedAt: Date
}

/** The newest sources at and below the prefixes. */
export async function listJudged(
  db: Queryable,
  prefixes: readonly string[],
  limit: number,
): Promise<readonly JudgedSource[]> {
  return await db
    .selectFrom('webhook_sources')
    .select(['id', 'name', 'provider', 'enabled', 'updated_at as updatedAt'])
    .where(withinPrefixes('team_path', prefixes))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

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
  /** Older answers than those that were looked at would change it. */
  readonly goesOn: boolean
}

/**
 * Of each source; one that has no delivery is left out. `most`: fewer answers tell whether a source fails, if not for how
 * long. A ping, or a provider's own test, is no answer: it could be read, and no event of its kind will ever be of use.
 */
export async function readNewestAnswers(
  db: Queryable,
  sourceIds: readonly string[],
  most = NEWEST,
): Promise<ReadonlyMap<string, NewestAnswers>> {
  const { rows } = await sql<Omit<NewestAnswers, 'newestRefusal'> & RefusalRow>`
    select asked.id as "sourceId", "lastDeliveryAt", cardinality(codes) as "rejectedInARow", proved as "provedInARow",
      codes[1] as "statusCode", reasons[1] as reason, "goesOn"
    from unnest(${sourceIds}::uuid[]) as asked(id)
    cross join lateral (
      select max(received_at) filter (where n = 1) as "lastDeliveryAt",
        coalesce(array_agg(status_code order by n) filter (where is_refused), '{}') as codes,
        array_agg(reason order by n) filter (where is_refused) as reasons,
        count(*) filter (where is_refused and verification = 'verified') as proved,
        count(*) = ${most} and not bool_or(is_answer and status_code < 300) as "goesOn"
      from (
        select answers.*, is_answer
          and count(*) filter (where is_answer and status_code < 300) over (order by n) = 0 as is_refused
        from (
          select row_number() over (order by id desc) as n, received_at, status_code, reason, verification,
            result <> 'unprocessable' or unusable as is_answer
          from deliveries where source_id = asked.id and replay_of is null and ${NOT_MADE}
          order by id desc limit ${most}
        ) as answers
      ) as judged
    ) as newest
    where "lastDeliveryAt" is not null`.execute(db)
  return new Map(
    rows.map(({ sourceId, statusCode, reason, ...row }) => [
      sourceId,
      { ...row, newestRefusal: statusCode === null || reason === null ? null : { statusCode, reason } },
    ]),
  )
}

interface RefusalRow {
  readonly sourceId: string
  readonly statusCode: number | null
  readonly reason: string | null
}

/** Of a source to which nothing was delivered. */
export const NO_ANSWERS: NewestAnswers = {
  lastDeliveryAt: null,
  rejectedInARow: 0,
  provedInARow: 0,
  newestRefusal: null,
  goesOn: false,
}

/** By the index of source and result: the results that are answered with 2xx. */
export async function findLastAccepted(db: Queryable, sourceId: string): Promise<Date | null> {
  const { rows } = await sql<{ receivedAt: Date }>`
    select newest.received_at as "receivedAt"
    from unnest(array['accepted', 'ignored', 'duplicate']) as good(result)
    cross join lateral (
      select received_at from deliveries
      where source_id = ${sourceId} and deliveries.result = good.result and replay_of is null and ${NOT_MADE}
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
