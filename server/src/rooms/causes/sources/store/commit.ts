import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import type { Delivery, DeliveryResult } from '../rules/index.ts'

// The statements of the group commit: each takes every delivery of the group at once.

export interface DeliveryKey {
  readonly sourceId: string
  readonly deliveryId: string
  readonly deliveryRecordId: string
}

/**
 * Claims the provider's delivery ids; answers the record ids of those that are new. Waits for another transaction that
 * claims the same one. Give them in one order (source, id), else two groups may wait for each other.
 */
export async function claimKeys(db: Queryable, keys: readonly DeliveryKey[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ delivery_record_id: string }>`
    insert into delivery_keys (source_id, delivery_id, delivery_record_id)
    select * from unnest(${keys.map((key) => key.sourceId)}::uuid[], ${keys.map((key) => key.deliveryId)}::text[],
      ${keys.map((key) => key.deliveryRecordId)}::uuid[])
    on conflict do nothing
    returning delivery_record_id`.execute(db)
  return new Set(rows.map((row) => row.delivery_record_id))
}

/** How a delivery was answered the first time. */
export interface FirstAnswer {
  readonly sourceId: string
  readonly deliveryId: string
  readonly deliveryRecordId: string
  readonly statusCode: number
  readonly result: string
}

export async function findFirstAnswers(
  db: Queryable,
  keys: readonly Pick<DeliveryKey, 'sourceId' | 'deliveryId'>[],
): Promise<readonly FirstAnswer[]> {
  const { rows } = await sql<FirstAnswer>`
    select key.source_id as "sourceId", key.delivery_id as "deliveryId", first.id as "deliveryRecordId",
      first.status_code as "statusCode", first.result
    from unnest(${keys.map((key) => key.sourceId)}::uuid[], ${keys.map((key) => key.deliveryId)}::text[])
      as asked(source_id, delivery_id)
    join delivery_keys as key on key.source_id = asked.source_id and key.delivery_id = asked.delivery_id
    join deliveries as first on first.id = key.delivery_record_id`.execute(db)
  return rows
}

/** As one document: run ids are lists, which unnest would flatten. */
export async function insertDeliveries(db: Queryable, deliveries: readonly Delivery[]): Promise<void> {
  const rows = deliveries.map((delivery) => ({
    id: delivery.id,
    source_id: delivery.sourceId,
    delivery_id: delivery.deliveryId,
    received_at: delivery.receivedAt,
    event_type: delivery.eventType,
    action: delivery.action,
    repository: delivery.repository,
    ref: delivery.ref,
    commit_sha: delivery.commitSha,
    sender: delivery.sender,
    result: delivery.result satisfies DeliveryResult,
    verification: delivery.verification,
    status_code: delivery.statusCode,
    reason: delivery.reason,
    run_ids: delivery.runIds,
    duplicate_of: delivery.duplicateOf,
    duration_ms: delivery.durationMs,
    payload_bytes: delivery.payloadBytes,
    payload_block_id: delivery.payload?.blockId ?? null,
    payload_offset: delivery.payload?.offset ?? null,
    headers_bytes: delivery.payload?.headersBytes ?? null,
    trace: delivery.trace,
  }))
  await sql`
    insert into deliveries (id, source_id, delivery_id, received_at, event_type, action, repository, ref, commit_sha,
      sender, result, verification, status_code, reason, run_ids, duplicate_of, duration_ms, payload_bytes,
      payload_block_id, payload_offset, headers_bytes, trace)
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as given(
      id uuid, source_id uuid, delivery_id text, received_at timestamptz, event_type text, action text,
      repository text, ref text, commit_sha text, sender text, result text, verification text, status_code integer,
      reason text, run_ids uuid[], duplicate_of uuid, duration_ms real, payload_bytes integer,
      payload_block_id uuid, payload_offset integer, headers_bytes integer, trace json)`.execute(db)
}

export interface PayloadBlock {
  readonly id: string
  readonly sourceId: string
  readonly receivedAt: Date
  readonly blockZstd: Buffer
}

export async function insertPayloadBlock(db: Queryable, block: PayloadBlock): Promise<void> {
  await sql`
    insert into delivery_payloads (id, source_id, received_at, block_zstd)
    values (${block.id}, ${block.sourceId}, ${block.receivedAt}, ${block.blockZstd})`.execute(db)
}
