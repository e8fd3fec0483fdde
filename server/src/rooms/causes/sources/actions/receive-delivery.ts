import type { Event } from '@signalbox/contracts/event'
import type { Forge, Reading } from '#adapters/forges'
import { CopyStale, isUnavailable } from '#platform/database'
import { isUuid } from '#platform/ids'
import { Problem, platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { EventPlan } from '#rooms/causes/events'
import type { MatchContext } from '#rooms/causes/triggers'
import type { AccessSnapshot } from '#rooms/foundation/access'
import { sourceProblem } from '../errors.ts'
import { type Delivery, type DeliveryResult, findRepeatedHeader, keepHeaders, type Source } from '../rules/index.ts'
import { sourceNotFound } from './find-source.ts'
import type { LiveSource } from './keep-sources.ts'
import type { Ingress } from './open-ingress.ts'

export interface DeliveryRequest {
  readonly sourceId: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly rawHeaders: readonly string[]
  readonly address: string
  readonly readBody: (limit: number) => Promise<Buffer>
}

export interface DeliveryAnswer {
  readonly status: 200 | 202
  readonly body: { readonly status: 'accepted' | 'ignored' }
}

/** What is known of a delivery so far; becomes its record. */
interface Arrival {
  readonly id: string
  readonly source: Source
  readonly forge: Forge
  readonly request: DeliveryRequest
  readonly receivedAt: Date
  readonly startedAt: number
}

/**
 * One delivery, checked in the order of decisions.md 5: the source, the size, whether authorization can be known, the
 * signature, the rate, the form, the kind of event, the repository. Then matched and stored; only then answered.
 */
export async function receiveDelivery(kit: Kit, ingress: Ingress, request: DeliveryRequest): Promise<DeliveryAnswer> {
  const startedAt = kit.clock.monotonic()
  const receivedAt = kit.clock.now()
  const live = await findLive(ingress, request.sourceId)
  if (!live?.forge) throw sourceNotFound()
  const { source, forge } = live
  const arrival: Arrival = { id: kit.ids.next(), source, forge, request, receivedAt, startedAt }
  if (!source.enabled) {
    // Recorded without being waited for: the answer must not tell it from a source that is not there.
    void refuse(kit, ingress, arrival, { ...UNCHECKED, problem: sourceNotFound(), reason: 'The source is disabled.' })
    throw sourceNotFound()
  }
  const body = await readWhole(kit, ingress, arrival)
  const snapshot = await knowGrants(ingress)
  const verified = await verify(kit, ingress, arrival, live, body)
  takeRate(kit, ingress, arrival, verified)
  const reading = forge.webhooks.read(request.headers, body)
  const checked = { ...verified, reading }
  if (reading.kind === 'unreadable') {
    const problem = sourceProblem('delivery.unreadable', reading.reason)
    return rejectVerified(kit, ingress, arrival, { ...checked, problem, reason: reading.reason })
  }
  if (reading.kind === 'nothing_runnable') return answerUnmapped(kit, ingress, arrival, checked, reading)
  const outside = reading.events.find((event) => !live.allows(event.repository.full_name))
  if (outside) {
    const reason = `The repository ${outside.repository.full_name} is not in the allowlist of the source.`
    const problem = sourceProblem('delivery.repository_not_allowed', reason)
    return rejectVerified(kit, ingress, arrival, { ...checked, problem, reason })
  }
  return admit(kit, ingress, arrival, checked, reading.events, contextOf(source, snapshot))
}

async function findLive(ingress: Ingress, sourceId: string): Promise<LiveSource | undefined> {
  if (!isUuid(sourceId)) return undefined
  try {
    const book = ingress.book.now() ?? (await ingress.book.get())
    return book.get(sourceId.toLowerCase())
  } catch (error) {
    throw unavailable(error)
  }
}

/** Grants, triggers or secrets that cannot be read: nothing may be decided, so nothing is. */
function unavailable(error: unknown): unknown {
  if (!(error instanceof CopyStale) && !isUnavailable(error)) return error
  return platformProblem('authorization_unavailable', 'It cannot be decided right now what the delivery may start.', {
    cause: error,
    headers: { 'retry-after': '2' },
  })
}

async function readWhole(kit: Kit, ingress: Ingress, arrival: Arrival): Promise<Buffer> {
  try {
    return await arrival.request.readBody(kit.config.webhookBodyLimit)
  } catch (error) {
    if (error instanceof Problem) {
      await refuse(kit, ingress, arrival, { ...UNCHECKED, problem: error, reason: error.message })
    }
    throw error
  }
}

async function knowGrants(ingress: Ingress): Promise<AccessSnapshot> {
  try {
    return await ingress.needs.access.snapshot()
  } catch (error) {
    throw unavailable(error)
  }
}

interface Checked {
  readonly verification: Delivery['verification']
  /** One sentence on the signature. */
  readonly detail: string
  readonly body: Buffer | undefined
  readonly reading?: Reading
}

const UNCHECKED: Checked = { verification: 'not_checked', detail: 'Not looked at.', body: undefined }

interface Refusal extends Checked {
  readonly problem: Problem
  readonly reason: string
}

async function verify(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  live: LiveSource,
  body: Buffer,
): Promise<Checked & { readonly body: Buffer }> {
  const { request, source, forge } = arrival
  const repeated = findRepeatedHeader(request.rawHeaders)
  const secrets = await live.secrets().catch((error: unknown) => {
    throw unavailable(error)
  })
  if ('unusable' in secrets.read) {
    const problem = platformProblem('authorization_unavailable', 'The secret of the source cannot be used right now.', {
      headers: { 'retry-after': '60' },
    })
    const reason = `The secret of the source cannot be used: ${secrets.read.unusable}`
    await refuse(kit, ingress, arrival, { ...UNCHECKED, problem, reason })
    throw problem
  }
  const verdict =
    repeated === undefined
      ? forge.webhooks.verify({
          headers: request.headers,
          rawBody: body,
          secrets: secrets.values,
          authMode: source.authMode,
          receivedAt: arrival.receivedAt,
        })
      : { outcome: 'mismatch' as const, detail: `The header ${repeated} came twice.` }
  if (verdict.outcome === 'verified') {
    ingress.needs.secrets.markUsed(secrets.read)
    return { verification: 'verified', detail: verdict.detail, body }
  }
  const problem = sourceProblem('delivery.signature_invalid', verdict.detail)
  const refusal = { verification: verdict.outcome, detail: verdict.detail, problem, reason: verdict.detail }
  // The payload is not kept: nobody knows who wrote it.
  await refuse(kit, ingress, arrival, { ...refusal, body: undefined }, body.length)
  throw problem
}

function takeRate(kit: Kit, ingress: Ingress, arrival: Arrival, verified: Checked): void {
  const verdict = ingress.rates.take(arrival.source)
  if (verdict.ok) return
  const reason = `The source takes ${arrival.source.ratePerMinute} deliveries a minute; this one came above that.`
  const problem = sourceProblem('delivery.rate_exceeded', reason, {
    headers: { 'retry-after': String(verdict.retryAfterSeconds) },
  })
  void refuse(kit, ingress, arrival, { ...verified, problem, reason })
  throw problem
}

/** Records a delivery that was refused before its sender was known, or above its rate: at most so many of them. */
async function refuse(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  refusal: Refusal,
  bytes = refusal.body?.length ?? 0,
): Promise<void> {
  ingress.metrics.delivered(arrival.source.provider, 'rejected', secondsSince(kit, arrival))
  const admitted = ingress.refusals.admit(arrival.source.id, arrival.request.address)
  if (!admitted.ok) {
    ingress.metrics.unrecorded(arrival.source.provider)
    return
  }
  const more = admitted.unrecorded > 0 ? ` ${admitted.unrecorded} more were refused and not recorded.` : ''
  const delivery = recordOf(kit, arrival, refusal, {
    result: 'rejected',
    statusCode: refusal.problem.status,
    reason: `${refusal.reason}${more}`,
    bytes,
  })
  await ingress.storeSoon({ delivery, repetition: 'none', payload: undefined, plans: [] })
}

/** A delivery of a known sender that cannot be used: recorded with its payload, then answered with the problem. */
async function rejectVerified(kit: Kit, ingress: Ingress, arrival: Arrival, refusal: Refusal): Promise<never> {
  const { status } = refusal.problem
  const result: DeliveryResult = status === 422 ? 'unprocessable' : 'rejected'
  const delivery = recordOf(kit, arrival, refusal, { result, statusCode: status, reason: refusal.reason })
  await ingress.committer.commit({ delivery, repetition: 'none', payload: payloadOf(arrival, refusal), plans: [] })
  ingress.metrics.delivered(arrival.source.provider, result, secondsSince(kit, arrival))
  throw refusal.problem
}

async function answerUnmapped(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  checked: Checked,
  reading: Extract<Reading, { kind: 'nothing_runnable' }>,
): Promise<DeliveryAnswer> {
  if (!arrival.source.acknowledgeUnmapped) {
    const problem = sourceProblem('delivery.nothing_runnable', reading.reason)
    return rejectVerified(kit, ingress, arrival, { ...checked, problem, reason: reading.reason })
  }
  const delivery = recordOf(kit, arrival, checked, { result: 'ignored', statusCode: 200, reason: reading.reason })
  const payload = payloadOf(arrival, checked)
  await ingress.committer.commit({ delivery, repetition: 'none', payload, plans: [] })
  ingress.metrics.delivered(arrival.source.provider, 'ignored', secondsSince(kit, arrival))
  return { status: 200, body: { status: 'ignored' } }
}

/** A source is for the triggers of those who may see it, or of everybody when it is shared. */
function contextOf(source: Source, snapshot: AccessSnapshot): MatchContext {
  return {
    sourceId: source.id,
    visibleTo: (owner) =>
      source.visibility === 'shared' ||
      snapshot.subject(owner.kind, owner.id)?.can('webhook_source.read', source.teamPath) === true,
  }
}

async function admit(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  checked: Checked,
  events: readonly Event[],
  context: MatchContext,
): Promise<DeliveryAnswer> {
  const plans = await plan(ingress, arrival, events, context)
  const runIds = plans.flatMap((one) => one.runs.map((run) => run.id))
  const started = runIds.length > 0
  const delivery = recordOf(kit, arrival, checked, {
    result: started ? 'accepted' : 'ignored',
    statusCode: started ? 202 : 200,
    reason: summarize(plans, runIds.length),
    runIds,
    plans,
  })
  const committed = await ingress.committer.commit({
    delivery,
    repetition: started ? 'claim' : 'look',
    payload: payloadOf(arrival, checked),
    plans,
  })
  const { result, statusCode } = committed.delivery
  ingress.metrics.delivered(arrival.source.provider, result, secondsSince(kit, arrival))
  return statusCode === 202
    ? { status: 202, body: { status: 'accepted' } }
    : { status: 200, body: { status: 'ignored' } }
}

async function plan(
  ingress: Ingress,
  arrival: Arrival,
  events: readonly Event[],
  context: MatchContext,
): Promise<readonly EventPlan[]> {
  try {
    const matcher = await ingress.needs.triggers.matcher()
    const plans: EventPlan[] = []
    for (const event of events) {
      plans.push(
        await ingress.needs.events.plan({
          event,
          matcher,
          context,
          poster: null,
          deliveryRecordId: arrival.id,
          checkoutCredentialRef: arrival.source.checkoutCredentialRef,
          receivedAt: arrival.receivedAt,
        }),
      )
    }
    return plans
  } catch (error) {
    throw unavailable(error)
  }
}

function summarize(plans: readonly EventPlan[], runs: number): string {
  if (runs > 0) return `${runs} ${runs === 1 ? 'run was' : 'runs were'} queued.`
  const refused = plans.reduce((sum, one) => sum + one.refused, 0)
  if (refused > 0)
    return `${refused} ${refused === 1 ? 'trigger' : 'triggers'} matched, but nothing may start; see the trace.`
  const considered = plans.reduce((sum, one) => sum + one.trace.triggers.length, 0)
  return considered === 0 ? 'No trigger names the repository.' : 'No trigger matched; see the trace.'
}

interface Outcome {
  readonly result: DeliveryResult
  readonly statusCode: number
  readonly reason: string
  readonly runIds?: readonly string[]
  readonly plans?: readonly EventPlan[]
  readonly bytes?: number
}

function recordOf(kit: Kit, arrival: Arrival, checked: Checked, outcome: Outcome): Delivery {
  const { request, forge } = arrival
  const { reading } = checked
  const body = checked.body ?? NOTHING
  const event = reading?.kind === 'events' ? reading.events[0] : undefined
  const named = reading?.kind === 'nothing_runnable' ? reading.repository : null
  return {
    id: arrival.id,
    sourceId: arrival.source.id,
    deliveryId: forge.webhooks.deliveryId(request.headers, body),
    receivedAt: arrival.receivedAt,
    eventType: reading?.eventType ?? forge.webhooks.eventType(request.headers, body) ?? '',
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
    durationMs: kit.clock.monotonic() - arrival.startedAt,
    payloadBytes: outcome.bytes ?? body.length,
    trace: { verification: checked.detail, events: (outcome.plans ?? []).map((one) => one.trace) },
  }
}

const NOTHING = Buffer.alloc(0)

function payloadOf(arrival: Arrival, { body }: Checked) {
  return body && { headers: keepHeaders(arrival.request.headers), body }
}

function secondsSince(kit: Kit, arrival: Arrival): number {
  return (kit.clock.monotonic() - arrival.startedAt) / 1000
}
