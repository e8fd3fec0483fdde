import type { Person } from '@signalbox/contracts/event'
import type { Means } from '../means.ts'
import { findDelivery, findSourceId } from '../store/deliveries.ts'
import { findTold, type ToldSource } from './find-told.ts'
import { readKeptPayload } from './read-payload.ts'

/** A verified delivery as it came, for who needs what events leave out. */
export interface KeptDelivery {
  readonly source: ToldSource
  readonly repository: string
  /** Who caused it, as the provider says. */
  readonly sender: Person | null
  readonly eventType: string
  readonly payload: unknown
}

/** Undefined where it was not verified, holds no event, or is not kept any more. */
export async function readKept(means: Means, deliveryRecordId: string): Promise<KeptDelivery | undefined> {
  const db = means.database.kysely
  const sourceId = await findSourceId(db, deliveryRecordId)
  const source = sourceId === undefined ? undefined : await findTold(means, db, sourceId)
  const delivery = sourceId === undefined ? undefined : await findDelivery(db, sourceId, deliveryRecordId)
  if (!source || !delivery || delivery.verification !== 'verified') return undefined
  const kept = await readKeptPayload(means, delivery)
  const reading = kept && means.forges.find(source.provider)?.webhooks.read(kept.headers, kept.body)
  if (!kept || reading?.kind !== 'events') return undefined
  const [event] = reading.events
  return {
    source,
    repository: event.repository.full_name,
    sender: event.sender,
    eventType: reading.eventType,
    payload: means.forges.readStored(kept.body.toString('utf8')),
  }
}
