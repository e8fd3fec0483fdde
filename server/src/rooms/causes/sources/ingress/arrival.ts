import type { Forge, Reading } from '#adapters/forges'
import type { Problem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { EventPlan } from '#rooms/causes/events'
import type { Delivery, LearntName, Outcome, Source } from '../rules/index.ts'
import type { Ticket } from './admissions.ts'
import type { LiveSource } from './source-book.ts'

export interface DeliveryRequest {
  readonly sourceId: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly rawHeaders: readonly string[]
  readonly address: string
  readonly readBody: (limit: number, holder: string) => Promise<Buffer>
}

/** The facts of a delivery when it comes; they become its record. */
export interface Arrival {
  readonly id: string
  readonly source: Source
  readonly allows: LiveSource['allows']
  readonly forge: Forge
  /** Of the provider; undefined: none that may be called. */
  readonly origin: string | undefined
  readonly request: DeliveryRequest
  readonly receivedAt: Date
  readonly startedAt: number
  /** Undefined until it was read. */
  readonly body: Buffer | undefined
  /** The delivery's place among all that are in hand; undefined until the body was read. */
  readonly ticket: Ticket | undefined
}

export interface ReadArrival extends Arrival {
  readonly body: Buffer
  readonly ticket: Ticket
}

export interface Checked {
  readonly verification: Delivery['verification']
  /** One sentence on the signature. */
  readonly detail: string
  readonly reading?: Reading
  /** The provider's; left out: it is asked of the headers. */
  readonly deliveryId?: string | null
}

export const UNCHECKED: Checked = { verification: 'not_checked', detail: 'Not looked at.' }

/**
 * Why a delivery is refused, and with that how it is recorded. `overloaded`: not at all. `unproved`: at most so many of them,
 * and no payload, as nobody knows who wrote it. `above_rate`: with its payload up to a bound. `unusable`: whole.
 */
export interface Refusal {
  readonly kind: 'overloaded' | 'unproved' | 'above_rate' | 'unusable'
  readonly checked: Checked
  readonly problem: Problem
  readonly reason: string
}

/** A delivery that is answered as its outcome says. */
export interface Decision extends Outcome {
  readonly kind: 'decided'
  readonly checked: Checked
  readonly plans: readonly EventPlan[]
  /** Of repositories, as they are heard for the first time. */
  readonly names: readonly LearntName[]
}

/** The decision about a delivery: its record and its answer. */
export type Verdict = Refusal | Decision

type Recorded = Omit<Outcome, 'runIds'> & Pick<Decision, 'checked'> & Partial<Decision>

export function recordOf(
  kit: Kit,
  arrival: Arrival,
  { checked, runIds = [], plans = [], ...outcome }: Recorded,
): Delivery {
  const { request, forge } = arrival
  const { reading } = checked
  const event = reading?.kind === 'events' ? reading.events[0] : undefined
  const named = reading?.kind === 'nothing_runnable' ? reading.repository : null
  return {
    id: arrival.id,
    sourceId: arrival.source.id,
    deliveryId:
      checked.deliveryId === undefined ? forge.webhooks.deliveryId(request.headers, NOTHING) : checked.deliveryId,
    receivedAt: arrival.receivedAt,
    eventType: reading?.eventType ?? forge.webhooks.eventType(request.headers, NOTHING) ?? '',
    action: reading && reading.kind !== 'unreadable' ? reading.action : null,
    repository: event?.repository.full_name ?? named,
    ref: event?.ref ?? null,
    commitSha: event?.after ?? null,
    sender: event?.sender?.login ?? null,
    result: outcome.result,
    verification: checked.verification,
    statusCode: outcome.statusCode,
    reason: outcome.reason,
    runIds,
    duplicateOf: null,
    replayOf: null,
    unusable: reading?.kind === 'nothing_runnable' && reading.cause === 'unmapped',
    payload: null,
    durationMs: kit.clock.monotonic() - arrival.startedAt,
    payloadBytes: arrival.body?.length ?? 0,
    trace: { verification: checked.detail, events: plans.map((one) => one.trace) },
  }
}

/**
 * The stand-in for a body that was not read: the headers alone decide. A body of 25 MB is not read for an unproved
 * sender or for a request that is no delivery.
 */
const NOTHING = Buffer.alloc(0)

export function secondsSince(kit: Kit, arrival: Arrival): number {
  return (kit.clock.monotonic() - arrival.startedAt) / 1000
}
