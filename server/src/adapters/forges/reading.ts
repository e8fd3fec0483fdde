import {
  completeEvent,
  type Event,
  type EventRepository,
  type Person,
  type PostedEvent,
  type Provider,
} from '@signalbox/contracts/event'
import type { JsonObject } from './json-scan.ts'
import type { Reading } from './port.ts'

/** What a reader of one event type is given: the payload and what was read of it already. */
export interface Delivered {
  readonly provider: Provider
  readonly eventType: string
  /** The provider's own word, null where the event type has none. */
  readonly action: string | null
  readonly deliveryId: string | null
  /** Who did it. */
  readonly sender: Person | null
  readonly payload: JsonObject
}

export interface DeliveredFromRepository extends Delivered {
  readonly repository: EventRepository
}

type Specifics = Omit<PostedEvent, 'provider' | 'repository' | 'delivery_id' | 'sender'> & {
  readonly sender?: Event['sender']
}

/** The reading of a delivery that holds one event. */
export function oneEvent(delivered: DeliveredFromRepository, specifics: Specifics): Reading {
  const event = completeEvent({
    sender: delivered.sender,
    ...specifics,
    provider: delivered.provider,
    repository: delivered.repository,
    delivery_id: delivered.deliveryId,
  })
  return { kind: 'events', eventType: delivered.eventType, action: delivered.action, events: [event] }
}

export function unreadable(delivered: Pick<Delivered, 'eventType'>, reason: string): Reading {
  return { kind: 'unreadable', eventType: delivered.eventType, reason }
}

export function nothingRunnable(
  delivered: Pick<Delivered, 'eventType' | 'action'>,
  repository: EventRepository | null,
  reason: string,
  cause: 'ping' | 'unmapped' = 'unmapped',
): Reading {
  return {
    kind: 'nothing_runnable',
    cause,
    eventType: delivered.eventType,
    action: delivered.action,
    repository: repository?.full_name ?? null,
    reason,
  }
}
