import type { Event } from '@signalbox/contracts/event'
import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

export interface TriggerEventRow {
  readonly eventId: string
  readonly event: Event
  readonly deliveryRecordId: string | null
  readonly receivedAt: Date
}

/**
 * One statement for any number of events: it is part of the group commit of deliveries. `eventsZstd` is the array of
 * the rows' events in their order.
 */
export async function insertEvents(db: Queryable, rows: readonly TriggerEventRow[], eventsZstd: Buffer): Promise<void> {
  const [first] = rows
  if (!first) return
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
  await sql`
    with block as (
      insert into trigger_event_blocks (id, events_zstd) values (${first.eventId}, ${eventsZstd}) returning id
    )
    insert into trigger_events
      (id, delivery_record_id, kind, action, provider, repository, ref, commit_sha, block_id, block_position, received_at)
    select given.id, delivery_record_id, kind, action, provider, repository, ref, commit_sha, block.id, block_position,
      received_at
    from block, json_to_recordset(${JSON.stringify(given)}::json) as given(
      id uuid, delivery_record_id uuid, kind text, action text, provider text, repository text, ref text,
      commit_sha text, block_position integer, received_at timestamptz)`.execute(db)
}
