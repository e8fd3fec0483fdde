import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { type DB, type Queryable, toCamel } from '#platform/database'
import { lowestIdOf } from '#platform/ids'
import { type Delivery, type DeliveryResult, readStoredTrace } from '../rules/index.ts'

export interface DeliveryFilter {
  readonly sourceId: string
  readonly result?: DeliveryResult | undefined
  readonly eventType?: string | undefined
  /** In whatever case. */
  readonly repository?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  /** The id below which the page begins. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Newest first; each filter has an index of source, filter column and id. */
export async function listDeliveries(db: Queryable, filter: DeliveryFilter): Promise<Delivery[]> {
  return (await filtered(db, filter).execute()).map(toDelivery)
}

/**
 * Deliveries that can be run again: of a proved sender, with their payload, and no replays themselves. Newest first.
 */
export async function listReplayable(db: Queryable, filter: DeliveryFilter): Promise<Delivery[]> {
  const query = filtered(db, filter)
    .where('verification', '=', 'verified')
    .where('payload_block_id', 'is not', null)
    .where('replay_of', 'is', null)
  return (await query.execute()).map(toDelivery)
}

function filtered(
  db: Queryable,
  { sourceId, result, eventType, repository, since, until, before, limit }: DeliveryFilter,
): SelectQueryBuilder<DB, 'deliveries', Selectable<DB['deliveries']>> {
  let query = db
    .selectFrom('deliveries')
    .selectAll()
    .where('source_id', '=', sourceId)
    .orderBy('id', 'desc')
    .limit(limit)
  if (result !== undefined) query = query.where('result', '=', result)
  if (eventType !== undefined) query = query.where('event_type', '=', eventType)
  if (repository !== undefined) query = query.where(sql<boolean>`lower(repository) = lower(${repository})`)
  if (since !== undefined) query = query.where('id', '>=', firstIdOf(since))
  if (until !== undefined) query = query.where('id', '<', firstIdOf(until))
  if (before !== undefined) query = query.where('id', '<', before)
  return query
}

/** The id of a record is made when it is received. No record is older than the year that such ids begin with. */
function firstIdOf(at: Date): string {
  return lowestIdOf(Math.max(at.getTime(), 0))
}

export async function findDelivery(db: Queryable, sourceId: string, id: string): Promise<Delivery | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('source_id', '=', sourceId)
    .executeTakeFirst()
  return row && toDelivery(row)
}

/** In the order of their ids, oldest first; missing ones are left out. */
export async function findDeliveries(db: Queryable, sourceId: string, ids: readonly string[]): Promise<Delivery[]> {
  const rows = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('source_id', '=', sourceId)
    .orderBy('id')
    .execute()
  return rows.map(toDelivery)
}

/**
 * The newest deliveries of several sources that told of something new: of a proved sender, with their payload, neither
 * repetitions nor replays. For each source by its index, so that a quiet one beside a busy one costs nothing.
 */
export async function listTelling(
  db: Queryable,
  { sourceIds, before, limit }: { sourceIds: readonly string[]; before: string | undefined; limit: number },
): Promise<Delivery[]> {
  const { rows } = await sql<Selectable<DB['deliveries']>>`
    select telling.* from unnest(${[...sourceIds]}::uuid[]) as asked(source_id)
    cross join lateral (
      select * from deliveries
      where source_id = asked.source_id and verification = 'verified' and payload_block_id is not null
        and replay_of is null and result <> 'duplicate' and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
      order by id desc limit ${limit}
    ) as telling
    order by telling.id desc limit ${limit}`.execute(db)
  return rows.map(toDelivery)
}

/** The block of payloads, compressed; undefined when its time was over. */
export async function findPayloadBlock(db: Queryable, blockId: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('delivery_payloads').select('block_zstd').where('id', '=', blockId).executeTakeFirst()
  return row?.block_zstd
}

function toDelivery(row: Selectable<DB['deliveries']>): Delivery {
  const { trace, payloadBlockId: blockId, payloadOffset: offset, headersBytes, ...columns } = toCamel(row)
  const isKept = blockId !== null && offset !== null && headersBytes !== null
  return { ...columns, trace: readStoredTrace(trace), payload: isKept ? { blockId, offset, headersBytes } : null }
}
