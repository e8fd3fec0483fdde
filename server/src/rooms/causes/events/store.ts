import type { Event } from '@signalbox/contracts/event'
import type { Statement } from '#platform/database'

export interface TriggerEventRow {
  readonly eventId: string
  readonly event: Event
  readonly deliveryRecordId: string | null
  readonly receivedAt: Date
}

/** One statement for any number of events: it is part of the group commit of deliveries. */
export function insertEvents(rows: readonly TriggerEventRow[]): Statement {
  const given = rows.map(({ eventId, event, deliveryRecordId, receivedAt }) => ({
    id: eventId,
    delivery_record_id: deliveryRecordId,
    kind: event.kind,
    action: event.action,
    provider: event.provider,
    repository: event.repository.full_name,
    ref: event.ref,
    commit_sha: event.after,
    event: deliveryRecordId === null ? event : null,
    received_at: receivedAt,
  }))
  return { text: INSERT_EVENTS, values: [JSON.stringify(given)] }
}

const INSERT_EVENTS = `
  insert into trigger_events
    (id, delivery_record_id, kind, action, provider, repository, ref, commit_sha, event, received_at)
  select * from json_to_recordset($1::json) as given(
    id uuid, delivery_record_id uuid, kind text, action text, provider text, repository text, ref text,
    commit_sha text, event json, received_at timestamptz)`
