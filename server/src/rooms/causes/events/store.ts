import type { Event } from '@signalbox/contracts/event'
import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

export interface TriggerEventRow {
  readonly eventId: string
  readonly event: Event
  readonly deliveryRecordId: string | null
  readonly receivedAt: Date
}

/** One statement and one document for any number of events: it is part of the group commit of deliveries. */
export async function insertEvents(db: Queryable, rows: readonly TriggerEventRow[]): Promise<void> {
  const given = rows.map(({ eventId, event, deliveryRecordId, receivedAt }) => ({
    id: eventId,
    delivery_record_id: deliveryRecordId,
    kind: event.kind,
    action: event.action,
    provider: event.provider,
    repository: event.repository.full_name,
    ref: event.ref,
    commit_sha: event.after,
    event,
    received_at: receivedAt,
  }))
  await sql`
    insert into trigger_events
      (id, delivery_record_id, kind, action, provider, repository, ref, commit_sha, event, received_at)
    select * from json_to_recordset(${JSON.stringify(given)}::json) as given(
      id uuid, delivery_record_id uuid, kind text, action text, provider text, repository text, ref text,
      commit_sha text, event json, received_at timestamptz)`.execute(db)
}
