import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type DB, type Queryable, toCamel } from '#platform/database'
import { lowestIdOf } from '#platform/ids'
import { type Delivery, type DeliveryResult, type ListedDelivery, readStoredTrace } from '../rules/index.ts'

export interface DeliveryFilter {
  readonly sourceIds: readonly string[]
  readonly result?: DeliveryResult | undefined
  readonly eventType?: string | undefined
  /** In whatever case. */
  readonly repository?: string | undefined
  /** The first digits of the commit, in lower case. */
  readonly commit?: string | undefined
  /** Any of these full refs, of one repository: each has its own place in the index. */
  readonly refs?: readonly string[] | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  /** The id below which the page begins. */
  readonly before?: string | undefined
  readonly limit: number
}

const LISTED = [
  'id',
  'source_id',
  'delivery_id',
  'received_at',
  'event_type',
  'action',
  'repository',
  'ref',
  'commit_sha',
  'sender',
  'result',
  'verification',
  'status_code',
  'reason',
  'run_ids',
  'duplicate_of',
  'replay_of',
  'unusable',
  'duration_ms',
  'payload_bytes',
] as const

type ListedRow = Pick<Selectable<DB['deliveries']>, (typeof LISTED)[number]>

/** Newest first; each filter has an index of source, filter column and id. */
export async function listDeliveries(db: Queryable, filter: DeliveryFilter): Promise<ListedDelivery[]> {
  const rows = await newest<ListedRow>(db, { ...filter, conditions: conditionsOf(filter), columns: LISTED })
  return rows.map((row) => toCamel(row))
}

/**
 * Deliveries that can be run again: of a proved sender, with their payload, and no replays themselves. Newest first.
 */
export async function listReplayable(db: Queryable, filter: DeliveryFilter): Promise<Delivery[]> {
  const replayable = sql`verification = 'verified' and payload_block_id is not null and replay_of is null`
  return newestWhole(db, filter, replayable)
}

/**
 * The newest deliveries that several sources told of something new by: of a proved sender, with their payload, neither
 * repetitions nor replays.
 */
export async function listTelling(db: Queryable, filter: DeliveryFilter): Promise<Delivery[]> {
  const telling = sql`verification = 'verified' and payload_block_id is not null and replay_of is null
    and result <> 'duplicate'`
  return newestWhole(db, filter, telling)
}

async function newestWhole(db: Queryable, filter: DeliveryFilter, condition: RawBuilder<unknown>): Promise<Delivery[]> {
  const wanted = { ...filter, conditions: [...conditionsOf(filter), condition], columns: ['*'] }
  return (await newest<Selectable<DB['deliveries']>>(db, wanted)).map(toDelivery)
}

interface Wanted extends Pick<DeliveryFilter, 'sourceIds' | 'refs' | 'limit'> {
  readonly conditions: readonly RawBuilder<unknown>[]
  readonly columns: readonly string[]
}

/**
 * Each source is read by its own index, so that a quiet one beside a busy one costs nothing. Only the rows of the page are
 * read, and lists leave the traces out: those are large.
 */
async function newest<Row>(
  db: Queryable,
  { sourceIds, refs, limit, conditions, columns }: Wanted,
): Promise<readonly Row[]> {
  const shown = sql.raw(columns.map((column) => `deliveries.${column}`).join(', '))
  const ofRefs = refs ? sql`cross join unnest(${[...new Set(refs)]}::text[]) as wanted(ref)` : sql``
  const ofRef = refs ? [sql`deliveries.ref = wanted.ref`] : []
  const { rows } = await sql<Row>`
    with page as (
      select told.id from unnest(${[...new Set(sourceIds)]}::uuid[]) as asked(source_id) ${ofRefs}
      cross join lateral (
        select id from deliveries
        where ${sql.join([sql`deliveries.source_id = asked.source_id`, ...ofRef, ...conditions], sql` and `)}
        order by id desc limit ${limit}
      ) as told
      order by told.id desc limit ${limit}
    )
    select ${shown} from page join deliveries on deliveries.id = page.id order by deliveries.id desc`.execute(db)
  return rows
}

function conditionsOf(filter: DeliveryFilter): RawBuilder<unknown>[] {
  const { result, eventType, repository, commit, since, until, before } = filter
  const parts: RawBuilder<unknown>[] = []
  if (result !== undefined) parts.push(sql`result = ${result}`)
  if (eventType !== undefined) parts.push(sql`event_type = ${eventType}`)
  if (repository !== undefined) parts.push(sql`lower(repository) = lower(${repository})`)
  if (commit !== undefined) parts.push(ofCommit(commit))
  // The id of a record is made when it is received.
  if (since !== undefined) parts.push(sql`id >= ${lowestIdOf(since.getTime())}`)
  if (until !== undefined) parts.push(sql`id < ${lowestIdOf(until.getTime())}`)
  if (before !== undefined) parts.push(sql`id < ${before}`)
  return parts
}

/** `g` comes after every digit. What is not null is said for the planner: the index has nothing else. */
function ofCommit(prefix: string): RawBuilder<unknown> {
  return sql`commit_sha is not null and commit_sha collate "C" >= ${prefix} and commit_sha collate "C" < ${`${prefix}g`}`
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

/** What tells a delivery from others, and how it was answered. */
export type Identity = Pick<
  ListedDelivery,
  'id' | 'sourceId' | 'deliveryId' | 'receivedAt' | 'statusCode' | 'verification' | 'replayOf' | 'duplicateOf'
>

/** Of whatever source; missing ones are left out. Each is looked up in the partition of its day alone. */
export async function findIdentities(db: Queryable, ids: readonly string[]): Promise<readonly Identity[]> {
  const { rows } = await sql<Identity>`
    select told.* from unnest(${[...new Set(ids)]}::uuid[]) as asked(id) cross join lateral
      (select id, source_id as "sourceId", delivery_id as "deliveryId", received_at as "receivedAt",
        status_code as "statusCode", verification, replay_of as "replayOf", duplicate_of as "duplicateOf"
        from deliveries where deliveries.id = asked.id limit 1) as told`.execute(db)
  return rows
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

/** The source of a delivery whose record is still there. */
export async function findSourceId(db: Queryable, deliveryRecordId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .select('source_id')
    .where('id', '=', deliveryRecordId)
    .executeTakeFirst()
  return row?.source_id
}
