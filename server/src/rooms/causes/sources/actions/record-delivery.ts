import type { Forge, Reading } from '#adapters/forges'
import type { Problem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { EventPlan } from '#rooms/causes/events'
import type { Delivery, DeliveryResult, Source } from '../rules/index.ts'
import type { LiveSource } from './keep-sources.ts'
import type { Ingress } from './open-ingress.ts'

export interface DeliveryRequest {
  readonly sourceId: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly rawHeaders: readonly string[]
  readonly address: string
  readonly readBody: (limit: number, holder: string) => Promise<Buffer>
}

/** What is known of a delivery so far; becomes its record. */
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
}

export interface Checked {
  readonly verification: Delivery['verification']
  /** One sentence on the signature. */
  readonly detail: string
  readonly body: Buffer | undefined
  readonly reading?: Reading
  /** The provider's; left out: it is asked of the headers. */
  readonly deliveryId?: string | null
}

export const UNCHECKED: Checked = { verification: 'not_checked', detail: 'Not looked at.', body: undefined }

export interface Refusal extends Checked {
  readonly problem: Problem
  readonly reason: string
}

/** Records a delivery that was refused before its sender was known: at most so many of them, and no payload, as nobody knows who wrote it. */
export async function refuse(kit: Kit, ingress: Ingress, arrival: Arrival, refusal: Refusal): Promise<void> {
  ingress.metrics.delivered(arrival.source.provider, 'rejected', secondsSince(kit, arrival))
  const admitted = ingress.limits.admitRecord(arrival.source.id, arrival.request.address)
  if (!admitted.ok) {
    ingress.metrics.unrecorded(arrival.source.provider)
    return
  }
  const delivery = recordOf(kit, arrival, refusal, {
    result: 'rejected',
    statusCode: refusal.problem.status,
    reason: `${refusal.reason}${andMore(admitted.unrecorded)}`,
  })
  await ingress.storeSoon({ delivery, repetition: 'none', payload: undefined, plans: [] })
}

/**
 * A delivery of a known sender that came above its rate: recorded before it is answered, with its payload, so that it can
 * be replayed: hardly any provider sends it again. Of a flood a part is only counted, and keeps no payload before.
 */
export async function rejectAboveRate(kit: Kit, ingress: Ingress, arrival: Arrival, refusal: Refusal): Promise<never> {
  const { id, provider } = arrival.source
  const admitted = ingress.limits.admitAboveRate(id, refusal.body?.length ?? 0)
  ingress.metrics.delivered(provider, 'rejected', secondsSince(kit, arrival))
  if (!admitted.ok) {
    ingress.metrics.unrecorded(provider)
    throw refusal.problem
  }
  const without = admitted.payload ? '' : ' Its payload was not kept, as too much came above the rate.'
  const delivery = recordOf(kit, arrival, refusal, {
    result: 'rejected',
    statusCode: refusal.problem.status,
    reason: `${refusal.reason}${without}${andMore(admitted.unrecorded)}`,
  })
  const payload = admitted.payload ? payloadOf(ingress, arrival, refusal) : undefined
  await ingress.committer.commit({ delivery, repetition: 'none', payload, plans: [] })
  throw refusal.problem
}

function andMore(unrecorded: number): string {
  return unrecorded > 0 ? ` ${unrecorded} more were refused and not recorded.` : ''
}

/** A delivery of a known sender that cannot be used: recorded with its payload, then answered with the problem. */
export async function rejectVerified(kit: Kit, ingress: Ingress, arrival: Arrival, refusal: Refusal): Promise<never> {
  const { status } = refusal.problem
  const result: DeliveryResult = status === 422 ? 'unprocessable' : 'rejected'
  const delivery = recordOf(kit, arrival, refusal, { result, statusCode: status, reason: refusal.reason })
  await ingress.committer.commit({
    delivery,
    repetition: 'none',
    payload: payloadOf(ingress, arrival, refusal),
    plans: [],
  })
  ingress.metrics.delivered(arrival.source.provider, result, secondsSince(kit, arrival))
  throw refusal.problem
}

export interface Outcome {
  readonly result: DeliveryResult
  readonly statusCode: number
  readonly reason: string
  readonly runIds?: readonly string[]
  readonly plans?: readonly EventPlan[]
}

export function recordOf(kit: Kit, arrival: Arrival, checked: Checked, outcome: Outcome): Delivery {
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
    runIds: outcome.runIds ?? [],
    duplicateOf: null,
    replayOf: null,
    unusable: reading?.kind === 'nothing_runnable' && reading.cause === 'unmapped',
    payload: null,
    durationMs: kit.clock.monotonic() - arrival.startedAt,
    payloadBytes: checked.body?.length ?? 0,
    trace: { verification: checked.detail, events: (outcome.plans ?? []).map((one) => one.trace) },
  }
}

/** What was not read is asked of the headers alone: a body of 25 MB that nobody proved, or that is no delivery, is not read for it. */
const NOTHING = Buffer.alloc(0)

export function payloadOf({ needs }: Ingress, arrival: Arrival, { body }: Checked) {
  return body && { headers: needs.forges.keepHeaders(arrival.request.headers), body }
}

export function secondsSince(kit: Kit, arrival: Arrival): number {
  return (kit.clock.monotonic() - arrival.startedAt) / 1000
}
