import { DELIVERY_RESULTS, DeliveryTrace, VERIFICATIONS } from '@signalbox/contracts/sources'
import { type Selectable, sql } from 'kysely'
import { Value } from 'typebox/value'
import type { DB, Queryable } from '#platform/database'
import type { Delivery, PayloadPlace } from '../rules/index.ts'

export interface DeliveryFilter {
  readonly sourceId: string
  readonly before: string | undefined
  readonly limit: number
}

/** Newest first, by the index of source and id. */
export async function listDeliveries(db: Queryable, filter: DeliveryFilter): Promise<Delivery[]> {
  let query = db
    .selectFrom('deliveries')
    .selectAll()
    .where('source_id', '=', filter.sourceId)
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toDelivery)
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

/** The block of payloads, compressed; undefined when its time was over. */
export async function findPayloadBlock(db: Queryable, blockId: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('delivery_payloads').select('block_zstd').where('id', '=', blockId).executeTakeFirst()
  return row?.block_zstd
}

/** At most `limit` at a time, so that no transaction grows long. Answers how many went. */
export async function dropPayloads(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from delivery_payloads where id in
      (select id from delivery_payloads where received_at < ${before} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Ids are UUIDv7, so that everything older than an instant lies below one id. */
export async function dropKeys(db: Queryable, belowId: string, limit: number): Promise<number> {
  const result = await sql`
    delete from delivery_keys where (source_id, delivery_id) in
      (select source_id, delivery_id from delivery_keys where delivery_record_id < ${belowId} limit ${limit})`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0)
}

const NO_TRACE: DeliveryTrace = { verification: '', events: [] }

function toDelivery(row: Selectable<DB['deliveries']>): Delivery {
  return {
    id: row.id,
    sourceId: row.source_id,
    deliveryId: row.delivery_id,
    receivedAt: row.received_at,
    eventType: row.event_type,
    action: row.action,
    repository: row.repository,
    ref: row.ref,
    commitSha: row.commit_sha,
    sender: row.sender,
    result: DELIVERY_RESULTS.find((result) => result === row.result) ?? 'rejected',
    verification: VERIFICATIONS.find((verification) => verification === row.verification) ?? 'not_checked',
    statusCode: row.status_code,
    reason: row.reason,
    runIds: row.run_ids,
    duplicateOf: row.duplicate_of,
    durationMs: row.duration_ms,
    payloadBytes: row.payload_bytes,
    trace: Value.Check(DeliveryTrace, row.trace) ? row.trace : NO_TRACE,
    payload: toPlace(row),
  }
}

function toPlace(row: Selectable<DB['deliveries']>): PayloadPlace | null {
  const { payload_block_id: blockId, payload_offset: offset, headers_bytes: headersBytes } = row
  return blockId === null || offset === null || headersBytes === null ? null : { blockId, offset, headersBytes }
}
