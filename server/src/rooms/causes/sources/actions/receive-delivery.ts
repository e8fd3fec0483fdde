import type { DeliveryVerification, Reading, VerificationRequest } from '#adapters/forges'
import { Problem, platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { orUnavailable, sourceProblem } from '../errors.ts'
import {
  type Arrival,
  type Checked,
  type DeliveryRequest,
  type ReadArrival,
  type Refusal,
  UNCHECKED,
  type Verdict,
} from '../ingress/arrival.ts'
import type { Ingress } from '../ingress/ingress.ts'
import type { LiveSecrets, LiveSource } from '../ingress/source-book.ts'
import { FORM_ENCODED, isFormEncoded, judgeReading, matchContextOf, outcomeOf } from '../rules/index.ts'
import { concludeDelivery, type DeliveryAnswer } from './conclude-delivery.ts'
import { sourceNotFound } from './find-source.ts'
import { knowNames, newNames } from './know-names.ts'
import { planEvents } from './plan-events.ts'

/**
 * One delivery, checked in this order: the source, whether there is room for it, the size, whether authorization can be
 * known, the signature, the rate, the form, the kind of event, the repository. Then matched and stored; only then answered.
 */
export async function receiveDelivery(kit: Kit, ingress: Ingress, request: DeliveryRequest): Promise<DeliveryAnswer> {
  const startedAt = kit.clock.monotonic()
  const receivedAt = kit.clock.now()
  const book = ingress.book.now() ?? (await orUnavailable(ingress.book.get()))
  // Asked for what is no id at all too: where the book cannot be had, all are answered alike.
  const live = book.get(request.sourceId.toLowerCase())
  if (!live?.forge) throw sourceNotFound()
  const { source, forge, origin, allows } = live
  const unread = { body: undefined, ticket: undefined }
  const arrival = { id: kit.ids.next(), source, allows, forge, origin, request, receivedAt, startedAt, ...unread }
  if (!source.enabled) {
    // Recorded only when the answer is written: nothing in it, its time neither, tells of a source that is there.
    const verdict = refusal('unproved', UNCHECKED, sourceNotFound(), 'The source is disabled.')
    kit.clock.nextTurn(() => void concludeDelivery(kit, ingress, arrival, verdict).catch(() => undefined))
    throw sourceNotFound()
  }
  const read = await readWhole(kit, ingress, arrival)
  if ('problem' in read) return concludeDelivery(kit, ingress, arrival, read)
  try {
    return await concludeDelivery(kit, ingress, read, await judge(kit, ingress, live, read))
  } finally {
    read.ticket.giveBack()
  }
}

function refusal(kind: Refusal['kind'], checked: Checked, problem: Problem, reason = problem.message): Refusal {
  return { kind, checked, problem, reason }
}

function isOverloaded(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'delivery.overloaded'
}

/**
 * The delivery with its body. Where there is no room the body is not read: a source that sends faster than is stored costs
 * nothing more. The ticket is taken when the body is there, as anybody can begin a thousand bodies and end none.
 */
async function readWhole(kit: Kit, ingress: Ingress, arrival: Arrival): Promise<ReadArrival | Refusal> {
  const { id } = arrival.source
  try {
    ingress.admissions.requireRoom(id)
    const body = await arrival.request.readBody(kit.config.webhookBodyLimit, id)
    return { ...arrival, body, ticket: ingress.admissions.take(id, body.length) }
  } catch (error) {
    if (isOverloaded(error)) return refusal('no_room', UNCHECKED, error)
    if (error instanceof Problem) return refusal('unproved', UNCHECKED, error)
    throw error
  }
}

/** Every check behind the body, in their order. Throws 503 problems where it cannot be known what to decide. */
async function judge(kit: Kit, ingress: Ingress, live: LiveSource, arrival: ReadArrival): Promise<Verdict> {
  try {
    const { source, receivedAt } = arrival
    const turn = isLarge(ingress, arrival) ? undefined : ingress.pace.turn(source.id)
    if (turn) await turn
    const snapshot = await orUnavailable(ingress.needs.access.snapshot())
    const proved = await prove(ingress, live, arrival)
    if ('problem' in proved) return proved
    const checked = proved
    const rate = ingress.limits.takeRate(source)
    if (!rate.ok) return aboveRate(arrival, checked, rate.retryAfterSeconds)
    // A refusal needs no more than what is known of names.
    const names = await knowNames(ingress).catch(() => undefined)
    const judged = judgeReading(checked.reading, { source, allows: live.allows, names, at: receivedAt })
    switch (judged.kind) {
      case 'refused':
        return refusal('unusable', checked, sourceProblem(judged.code, judged.reason))
      case 'ignored': {
        const { reason } = judged
        return {
          kind: 'decided',
          result: 'ignored',
          statusCode: 200,
          reason,
          runIds: [],
          checked,
          plans: [],
          names: [],
        }
      }
      case 'events': {
        const { events } = judged
        const context = matchContextOf(source, snapshot)
        const plans = await planEvents(kit, ingress, arrival, { events, context })
        const learnt = newNames(await orUnavailable(knowNames(ingress)), source.id, events, receivedAt)
        return { kind: 'decided', ...outcomeOf(plans), checked, plans, names: learnt }
      }
    }
  } catch (error) {
    if (isOverloaded(error)) return refusal('no_room', UNCHECKED, error)
    throw error
  }
}

function isLarge(ingress: Ingress, { body }: ReadArrival): boolean {
  return body.length >= ingress.needs.forges.largeBytes
}

type Proved = Checked & { readonly reading: Reading }

/** Verifies; what the delivery says comes with it, and is looked at only when its rate allows it. */
async function prove(ingress: Ingress, live: LiveSource, arrival: ReadArrival): Promise<Proved | Refusal> {
  const { request } = arrival
  const repeated = ingress.needs.forges.findRepeatedHeader(arrival.forge, request.rawHeaders, request.headers)
  const secrets = await orUnavailable(live.secrets())
  if ('unusable' in secrets.read) {
    const problem = platformProblem('authorization_unavailable', 'The secret of the source cannot be used right now.', {
      headers: { 'retry-after': '60' },
    })
    const reason = `The secret of the source cannot be used: ${secrets.read.unusable}`
    return refusal('unproved', UNCHECKED, problem, reason)
  }
  const verified =
    repeated === undefined
      ? await verifyInTurn(ingress, arrival, secrets)
      : { verification: { outcome: 'mismatch' as const, detail: `The header ${repeated} came twice.` } }
  if ('reading' in verified) {
    const { verification, reading, deliveryId } = verified
    ingress.needs.secrets.markUsed(secrets.read, secrets.places[verification.secretIndex])
    const note = reading.kind === 'events' && reading.note !== undefined ? ` ${reading.note}` : ''
    return { verification: 'verified', detail: `${verification.detail}${note}`, reading, deliveryId }
  }
  const { outcome: verification, detail } = verified.verification
  return refusal('unproved', { verification, detail }, forgeryProblem(ingress, arrival, detail))
}

/** Those of ordinary size had their turn before. */
function verifyInTurn(
  ingress: Ingress,
  arrival: ReadArrival,
  { values }: LiveSecrets,
): DeliveryVerification | Promise<DeliveryVerification> {
  const { source, forge, request, body, receivedAt } = arrival
  const asked: VerificationRequest = {
    headers: request.headers,
    rawBody: body,
    secrets: values,
    authMode: source.authMode,
    receivedAt,
  }
  const verifying = () => ingress.needs.forges.verifyDelivery(forge, asked)
  return isLarge(ingress, arrival) ? ingress.large.run(source.id, verifying) : verifying()
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

function aboveRate({ source }: Arrival, checked: Checked, retryAfterSeconds: number): Refusal {
  const reason = `The source takes ${source.ratePerMinute} deliveries a minute; this one came above that.`
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return refusal('above_rate', checked, sourceProblem('delivery.rate_exceeded', reason, { headers }))
}
