import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '#platform/database'
import { lowestIdOf } from '#platform/ids'

/** An answer that a delivery of the provider's id got. */
export interface GivenAnswer {
  readonly deliveryId: string
  readonly deliveryRecordId: string
  readonly receivedAt: Date
  readonly statusCode: number
}

/**
 * Of deliveries that came from `since` on: the first of each id with each status. They are proved, or came while the
 * source was disabled: what nobody wanted then is not missed later. Replays are no answers.
 */
export async function findAnswers(
  db: Queryable,
  sourceId: string,
  deliveryIds: readonly string[],
  since: Date,
): Promise<readonly GivenAnswer[]> {
  if (deliveryIds.length === 0) return []
  return (await answersQuery(sourceId, deliveryIds, since).execute(db)).rows
}

/**
 * No walk of the days: what was accepted took its id, and is found by it; all else is in `deliveries_without_key`, whose
 * conditions these are. "offset" keeps the planner from reading all days in place of the one of the record.
 */
export function answersQuery(sourceId: string, deliveryIds: readonly string[], since: Date): RawBuilder<GivenAnswer> {
  const ids = [...deliveryIds]
  const first = lowestIdOf(since.getTime())
  const answers = sql`replay_of is null
    and (verification = 'verified' or (verification = 'not_checked' and status_code = 404))`
  return sql<GivenAnswer>`
    select distinct on (delivery_id, status_code) delivery_id as "deliveryId", id as "deliveryRecordId",
      received_at as "receivedAt", status_code as "statusCode"
    from (
      select key.delivery_id, record.*
      from delivery_keys as key
      cross join lateral (
        select id, received_at, status_code from deliveries where id = key.delivery_record_id and ${answers} offset 0
      ) as record
      where key.source_id = ${sourceId} and key.delivery_id = any(${ids}) and key.delivery_record_id >= ${first}
      union all
      select delivery_id, id, received_at, status_code
      from deliveries
      where source_id = ${sourceId} and delivery_id = any(${ids}) and id >= ${first} and result <> 'accepted' and ${answers}
    ) as answer
    order by delivery_id, status_code, id`
}

/** A webhook that this service made. */
export interface MadeHook {
  readonly sourceId: string
  /** The full name. */
  readonly repository: string
  readonly hookId: string
  readonly connectedAt: Date
}

/** Of sources that are enabled and can ask their provider. */
export async function listHooks(db: Queryable, sourceId: string | undefined): Promise<readonly MadeHook[]> {
  let query = db
    .selectFrom('source_connections')
    .innerJoin('webhook_sources', 'webhook_sources.id', 'source_connections.source_id')
    .select(['source_id', 'repository', 'hook_id', 'connected_at'])
    .where('enabled', '=', true)
    .where('checkout_credential_ref', 'is not', null)
    .where('hook_id', 'is not', null)
  if (sourceId !== undefined) query = query.where('source_id', '=', sourceId)
  const rows = await query.orderBy('source_id').orderBy('repository').execute()
  return rows.flatMap(({ source_id, repository, hook_id, connected_at }) =>
    hook_id === null || connected_at === null
      ? []
      : [{ sourceId: source_id, repository, hookId: hook_id, connectedAt: connected_at }],
  )
}

/** A commit that a delivery named which was ignored without an event, such as a push of the own app. */
export interface IgnoredPush {
  readonly deliveryRecordId: string
  readonly ref: string
  readonly after: string
}

/** More of one repository are no person's. */
const MOST_IGNORED = 1000

export async function listIgnoredPushes(
  db: Queryable,
  sourceId: string,
  repository: string,
  since: Date,
): Promise<readonly IgnoredPush[]> {
  const { rows } = await sql<IgnoredPush>`
    select id as "deliveryRecordId", ref, commit_sha as after from deliveries
    where source_id = ${sourceId} and lower(repository) = ${repository.toLowerCase()}
      and id >= ${lowestIdOf(since.getTime())} and replay_of is null and verification = 'verified'
      and result = 'ignored' and ref is not null and commit_sha is not null
    order by id desc limit ${MOST_IGNORED}`.execute(db)
  return rows.toReversed()
}

/** Whether something came since then while the source was disabled: whoever disabled it wanted nothing of it. */
export async function cameWhileDisabled(db: Queryable, sourceId: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from deliveries
    where source_id = ${sourceId} and result = 'rejected' and id >= ${lowestIdOf(since.getTime())}
      and verification = 'not_checked' and status_code = 404 limit 1`.execute(db)
  return rows.length > 0
}
