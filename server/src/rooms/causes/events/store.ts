import type { Event } from '@signalbox/contracts/event'
import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

export interface TriggerEventRow {
  readonly eventId: string
  readonly event: Event
  readonly deliveryRecordId: string | null
  readonly receivedAt: Date
}

/** One statement for any number of events: it is part of the group commit of deliveries. */
export async function insertEvents(db: Queryable, rows: readonly TriggerEventRow[]): Promise<void> {
  await sql`
    insert into trigger_events
      (id, delivery_record_id, kind, action, provider, repository, ref, commit_sha, event, received_at)
    select * from unnest(
      ${rows.map((row) => row.eventId)}::uuid[], ${rows.map((row) => row.deliveryRecordId)}::uuid[],
      ${rows.map((row) => row.event.kind)}::text[], ${rows.map((row) => row.event.action)}::text[],
      ${rows.map((row) => row.event.provider)}::text[], ${rows.map((row) => row.event.repository.full_name)}::text[],
      ${rows.map((row) => row.event.ref)}::text[], ${rows.map((row) => row.event.after)}::text[],
      ${rows.map((row) => JSON.stringify(row.event))}::json[],
      ${rows.map((row) => row.receivedAt.toISOString())}::timestamptz[])`.execute(db)
}
