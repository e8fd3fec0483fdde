import type { Examined, Reading, VerificationRequest } from '#adapters/forges'
import { Problem, platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { AccessSnapshot } from '#rooms/foundation/access'
import { sourceProblem } from '../errors.ts'
import { describeOutside, FORM_ENCODED, isFormEncoded } from '../rules/index.ts'
import { admitDelivery, contextOf, type DeliveryAnswer, unavailable } from './admit-delivery.ts'
import { sourceNotFound } from './find-source.ts'
import type { LiveSource, SourceBook } from './keep-sources.ts'
import { findAllowedName } from './know-names.ts'
import type { Ingress } from './open-ingress.ts'
import {
  type Arrival,
  type Checked,
  type DeliveryRequest,
  payloadOf,
  recordOf,
  refuse,
  rejectAboveRate,
  rejectVerified,
  secondsSince,
  UNCHECKED,
} from './record-delivery.ts'

/**
 * One delivery, checked in this order: the source, whether there is room for it, the size, whether authorization can be
 * known, the signature, the rate, the form, the kind of event, the repository. Then matched and stored; only then answered.
 */
export async function receiveDelivery(kit: Kit, ingress: Ingress, request: DeliveryRequest): Promise<DeliveryAnswer> {
  const startedAt = kit.clock.monotonic()
  const receivedAt = kit.clock.now()
  const book = ingress.book.now() ?? (await waitForBook(ingress))
  // Asked for what is no id at all too: where the book cannot be had, all are answered alike.
  const live = book.get(request.sourceId.toLowerCase())
  if (!live?.forge) throw sourceNotFound()
  const { source, forge, origin, allows } = live
  const arrival: Arrival = { id: kit.ids.next(), source, allows, forge, origin, request, receivedAt, startedAt }
  if (!source.enabled) {
    // Recorded only when the answer is written: nothing in it, its time neither, tells of a source that is there.
    const refusal = { ...UNCHECKED, problem: sourceNotFound(), reason: 'The source is disabled.' }
    kit.clock.nextTurn(() => void refuse(kit, ingress, arrival, refusal))
    throw sourceNotFound()
  }
  // Before the body is read: a source that sends faster than is stored costs nothing more.
  requireRoom(kit, ingress, arrival)
  const body = await readWhole(kit, ingress, arrival)
  const large = body.length >= ingress.needs.forges.largeBytes
  const turn = large ? undefined : takeTurn(kit, ingress, arrival, body)
  if (turn) await turn
  const snapshot = await knowGrants(ingress)
  const checked = await examine(kit, ingress, arrival, live, body)
  const { reading } = checked
  const rate = ingress.limits.takeRate(source)
  if (!rate.ok) return refuseAboveRate(kit, ingress, arrival, checked, rate.retryAfterSeconds)
  if (reading.kind === 'unreadable') {
    const problem = sourceProblem('delivery.unreadable', reading.reason)
    return rejectVerified(kit, ingress, arrival, { ...checked, problem, reason: reading.reason })
  }
  if (reading.kind === 'nothing_runnable') return answerUnmapped(kit, ingress, arrival, checked, reading)
  const outside = reading.events.find((event) => !live.allows(event.repository.full_name))
  if (outside) {
    const formerName = await findAllowedName(ingress, live, outside, receivedAt)
    const reason = describeOutside(outside.repository.full_name, formerName)
    const problem = sourceProblem('delivery.repository_not_allowed', reason)
    return rejectVerified(kit, ingress, arrival, { ...checked, problem, reason })
  }
  return admitDelivery(kit, ingress, arrival, checked, reading.events, contextOf(source, snapshot))
}

async function waitForBook(ingress: Ingress): Promise<SourceBook> {
  try {
    return await ingress.book.get()
  } catch (error) {
    throw unavailable(error)
  }
}

function requireRoom(kit: Kit, ingress: Ingress, arrival: Arrival): void {
  try {
    ingress.committer.requireRoom(arrival.source.id)
    ingress.pace.requireRoom(arrival.source.id)
  } catch (error) {
    throw withoutRoom(kit, ingress, arrival, error)
  }
}

function takeTurn(kit: Kit, ingress: Ingress, arrival: Arrival, body: Buffer): Promise<void> | undefined {
  try {
    return ingress.pace.turn(arrival.source.id, body.length)?.catch((error: unknown) => {
      throw withoutRoom(kit, ingress, arrival, error)
    })
  } catch (error) {
    throw withoutRoom(kit, ingress, arrival, error)
  }
}

/** Such a refusal is counted; to record it there is no room either. */
function withoutRoom(kit: Kit, ingress: Ingress, arrival: Arrival, error: unknown): unknown {
  const { provider } = arrival.source
  ingress.metrics.delivered(provider, 'rejected', secondsSince(kit, arrival))
  ingress.metrics.unrecorded(provider)
  return error
}

async function readWhole(kit: Kit, ingress: Ingress, arrival: Arrival): Promise<Buffer> {
  try {
    return await arrival.request.readBody(kit.config.webhookBodyLimit, arrival.source.id)
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

type VerifiedDelivery = Checked & { readonly reading: Reading }

/** Verifies; what the delivery says comes with it, and is looked at only when its rate allows it. */
async function examine(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  live: LiveSource,
  body: Buffer,
): Promise<VerifiedDelivery> {
  const { request, source } = arrival
  const repeated = ingress.needs.forges.findRepeatedHeader(arrival.forge, request.rawHeaders, request.headers)
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
  const examined =
    repeated === undefined
      ? await examineInTurn(kit, ingress, arrival, {
          headers: request.headers,
          rawBody: body,
          secrets: secrets.values,
          authMode: source.authMode,
          receivedAt: arrival.receivedAt,
        })
      : { verification: { outcome: 'mismatch' as const, detail: `The header ${repeated} came twice.` } }
  if ('reading' in examined) {
    const { verification, reading, deliveryId } = examined
    ingress.needs.secrets.markUsed(secrets.read, secrets.places[verification.secretIndex])
    const note = reading.kind === 'events' && reading.note !== undefined ? ` ${reading.note}` : ''
    return { verification: 'verified', detail: `${verification.detail}${note}`, body, reading, deliveryId }
  }
  const { outcome: verification, detail } = examined.verification
  const problem = forgeryProblem(ingress, arrival, detail)
  await refuse(kit, ingress, arrival, { verification, detail, body, problem, reason: problem.message })
  throw problem
}

/** Those of ordinary size had their turn before. */
function examineInTurn(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  request: VerificationRequest,
): Examined | Promise<Examined> {
  const { forges } = ingress.needs
  const bytes = request.rawBody.length
  const examining = () => forges.examine(arrival.forge, request)
  if (bytes < forges.largeBytes) return examining()
  return ingress.large.run(arrival.source.id, bytes, examining).catch((error: unknown) => {
    throw withoutRoom(kit, ingress, arrival, error)
  })
}

/**
 * 401; 429 where too many that prove nothing came from the address. Only then is it said: an address is shared by all who
 * send from one provider, and anybody can make that provider send forgeries here, so a right delivery from it always passes.
 */
function forgeryProblem(ingress: Ingress, { request }: Arrival, detail: string): Problem {
  const verdict = ingress.limits.takeForgery(request.address)
  if (!verdict.ok) {
    return sourceProblem('delivery.too_many_forgeries', `Too many deliveries from this address fail. ${detail}`, {
      headers: { 'retry-after': String(verdict.retryAfterSeconds) },
    })
  }
  // Some providers sign the JSON inside of the form, so that these fail here and not where they would be read.
  const hint = isFormEncoded(request.headers) ? ` ${FORM_ENCODED}` : ''
  return sourceProblem('delivery.signature_invalid', `${detail}${hint}`)
}

async function refuseAboveRate(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  checked: Checked,
  retryAfterSeconds: number,
): Promise<never> {
  const reason = `The source takes ${arrival.source.ratePerMinute} deliveries a minute; this one came above that.`
  const problem = sourceProblem('delivery.rate_exceeded', reason, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
  return rejectAboveRate(kit, ingress, arrival, { ...checked, problem, reason })
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
  const payload = payloadOf(ingress, arrival, checked)
  await ingress.committer.commit({ delivery, repetition: 'none', payload, plans: [] })
  ingress.metrics.delivered(arrival.source.provider, 'ignored', secondsSince(kit, arrival))
  return { status: 200, body: { status: 'ignored' } }
}
