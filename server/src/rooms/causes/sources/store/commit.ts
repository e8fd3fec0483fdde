import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import type { Delivery } from '../rules/index.ts'

// The statements of the group commit: each takes every delivery of the group at once.

export interface DeliveryKey {
  readonly sourceId: string
  readonly deliveryId: string
}

/** How a delivery was answered the first time. */
export interface FirstAnswer {
  readonly sourceId: string
  readonly deliveryId: string
  readonly deliveryRecordId: string
  readonly statusCode: number
  readonly result: string
}

export async function findFirstAnswers(db: Queryable, keys: readonly DeliveryKey[]): Promise<readonly FirstAnswer[]> {
  const { rows } = await sql<FirstAnswer>`
    select key.source_id as "sourceId", key.delivery_id as "deliveryId", first.id as "deliveryRecordId",
      first.status_code as "statusCode", first.result
    from unnest(${keys.map((key) => key.sourceId)}::uuid[], ${keys.map((key) => key.deliveryId)}::text[])
      as asked(source_id, delivery_id)
    join delivery_keys as key on key.source_id = asked.source_id and key.delivery_id = asked.delivery_id
    join deliveries as first on first.id = key.delivery_record_id`.execute(db)
  return rows
}

export interface DeliveryToStore {
  readonly delivery: Delivery
  /** It is stored only if the provider's delivery id is new for the source, and takes it. */
  readonly claims: boolean
}

export interface PayloadBlock {
  readonly id: string
  readonly sourceId: string
  readonly receivedAt: Date
  readonly blockZstd: Buffer
}

/**
 * Stores blocks, delivery ids and deliveries in one statement: each further one would cost every delivery of the group a
 * round trip. Answers the record ids of those whose claim succeeded; those whose claim did not are not stored. Waits for
 * another transaction that claims the same id; ids are claimed in one order, so that no two wait for each other.
 */
export async function storeDeliveries(
  db: Queryable,
  given: readonly DeliveryToStore[],
  blocks: readonly PayloadBlock[],
): Promise<ReadonlySet<string>> {
  const document = JSON.stringify(given.map(toRow))
  const { rows } = await sql<{ delivery_record_id: string }>`
    with given as materialized (
      select * from json_to_recordset(${document}::json) as given(
        id uuid, source_id uuid, delivery_id text, received_at timestamptz, event_type text, action text,
        repository text, ref text, commit_sha text, sender text, result text, verification text,
        status_code integer, reason text, run_ids uuid[], duplicate_of uuid, duration_ms real,
        payload_bytes integer, payload_block_id uuid, payload_offset integer, headers_bytes integer, trace json,
        claims boolean)
    ), blocks as (
      insert into delivery_payloads (id, source_id, received_at, block_zstd)
      select * from unnest(${blocks.map((block) => block.id)}::uuid[],
        ${blocks.map((block) => block.sourceId)}::uuid[],
        ${blocks.map((block) => block.receivedAt.toISOString())}::timestamptz[],
        ${blocks.map((block) => block.blockZstd)}::bytea[])
    ), claimed as (
      insert into delivery_keys (source_id, delivery_id, delivery_record_id)
      select source_id, delivery_id, id from given where claims order by source_id, delivery_id
      on conflict do nothing
      returning delivery_record_id
    ), stored as (
      insert into deliveries (id, source_id, delivery_id, received_at, event_type, action, repository, ref, commit_sha,
        sender, result, verification, status_code, reason, run_ids, duplicate_of, duration_ms, payload_bytes,
        payload_block_id, payload_offset, headers_bytes, trace)
      select id, source_id, delivery_id, received_at, event_type, action, repository, ref, commit_sha,
        sender, result, verification, status_code, reason, run_ids, duplicate_of, duration_ms, payload_bytes,
        payload_block_id, payload_offset, headers_bytes, trace
      from given
      where not claims or id in (select delivery_record_id from claimed)
    )
    select delivery_record_id from claimed`.execute(db)
  return new Set(rows.map((row) => row.delivery_record_id))
}

function toRow({ delivery, claims }: DeliveryToStore) {
  return {
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
    result: delivery.result,
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
    claims,
  }
}
