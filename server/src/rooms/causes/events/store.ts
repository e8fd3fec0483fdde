import type { Event } from '@signalbox/contracts/event'
import type { Statement } from '#platform/database'

export interface TriggerEventRow {
  readonly eventId: string
  readonly event: Event
  readonly deliveryRecordId: string | null
  readonly receivedAt: Date
}

/**
 * One statement for any number of events, at least one: it is part of the group commit of deliveries. `eventsZstd` is the
 * array of the rows' events in their order.
 */
export function insertEvents(rows: readonly TriggerEventRow[], eventsZstd: Buffer): Statement {
  const given = rows.map(({ eventId, event, deliveryRecordId, receivedAt }, position) => ({
    id: eventId,
    delivery_record_id: deliveryRecordId,
    kind: event.kind,
    action: event.action,
    provider: event.provider,
    repository: event.repository.full_name,
    ref: event.ref,
    commit_sha: event.after,
    block_position: position,
    received_at: receivedAt,
  }))
  return { text: INSERT_EVENTS, values: [JSON.stringify(given), rows[0]?.eventId ?? null, eventsZstd] }
}

const INSERT_EVENTS = `
  with block as (
    insert into trigger_event_blocks (id, events_zstd) values ($2::uuid, $3::bytea)
  )
  insert into trigger_events
    (id, delivery_record_id, kind, action, provider, repository, ref, commit_sha, block_id, block_position, received_at)
  select id, delivery_record_id, kind, action, provider, repository, ref, commit_sha, $2::uuid, block_position, received_at
  from json_to_recordset($1::json) as given(
    id uuid, delivery_record_id uuid, kind text, action text, provider text, repository text, ref text,
    commit_sha text, block_position integer, received_at timestamptz)`
