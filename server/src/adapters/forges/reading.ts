import {
  completeEvent,
  type Event,
  type EventPullRequest,
  type EventRepository,
  type Person,
  type PostedEvent,
  type Provider,
} from '@signalbox/contracts/event'
import { type Changes, changesWhenAsked } from './changes-when-asked.ts'
import type { JsonObject } from './json-object.ts'
import type { Reading } from './port.ts'

/** The input of a reader of one event type: the payload and the parts that are read already. */
export interface Delivered {
  readonly provider: Provider
  readonly eventType: string
  /** The provider's own word, null where the event type has none. */
  readonly action: string | null
  readonly deliveryId: string | null
  /** The person who caused the event. */
  readonly sender: Person | null
  readonly payload: JsonObject
  /** A remark on the body for people. */
  readonly note?: string | undefined
}

export interface DeliveredFromRepository extends Delivered {
  readonly repository: EventRepository
}

/** Where the commits of a pull request come from, and where they shall go. */
export type PullRequestEnds = Pick<EventPullRequest, 'head' | 'base' | 'from_fork'>

type Specifics = Omit<PostedEvent, 'provider' | 'repository' | 'delivery_id' | 'sender'> & {
  readonly sender?: Event['sender']
}

/** One event of a delivery, with what all events of the delivery have in common. */
export function eventOf(delivered: DeliveredFromRepository, specifics: Specifics): Event {
  return completeEvent({
    sender: delivered.sender,
    ...specifics,
    provider: delivered.provider,
    repository: delivered.repository,
    delivery_id: delivered.deliveryId,
  })
}

/** The reading of a delivery that holds one event; its changes are read when somebody asks for them. */
export function oneEvent(
  delivered: DeliveredFromRepository,
  specifics: Specifics,
  readChanges?: () => Changes,
): Reading {
  const event = eventOf(delivered, specifics)
  return severalEvents(delivered, [readChanges ? changesWhenAsked(event, readChanges) : event])
}

/** The reading of a delivery that holds several events, in the provider's order. */
export function severalEvents({ eventType, action, note }: Delivered, events: readonly [Event, ...Event[]]): Reading {
  return { kind: 'events', eventType, action, events, ...(note === undefined ? {} : { note }) }
}

export function unreadable(delivered: Delivered, reason: string): Reading {
  return { kind: 'unreadable', eventType: delivered.eventType, reason }
}

export function nothingRunnable(
  delivered: Delivered,
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
