import type { DeliveryVerification, Reading, VerificationRequest } from '#adapters/forges'
import { madeAt } from '#platform/ids'
import { Problem, platformProblem } from '#platform/problems'
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
import type { LiveSecrets, LiveSource } from '../ingress/source-book.ts'
import type { Means } from '../means.ts'
import { FORM_ENCODED, isFormEncoded, judgeReading, matchContextOf, namesApp, outcomeOf } from '../rules/index.ts'
import { concludeDelivery, type DeliveryAnswer } from './conclude-delivery.ts'
import { findOwnLogin } from './find-own-login.ts'
import { sourceNotFound } from './find-source.ts'
import { newNames } from './know-names.ts'
import { planEvents } from './plan-events.ts'

/**
 * Checks one delivery in this order: source, capacity, size, known authorization, signature, rate, form, kind of event,
 * repository. The delivery is then matched and stored, and only then answered.
 */
export async function receiveDelivery(means: Means, request: DeliveryRequest): Promise<DeliveryAnswer> {
  const startedAt = means.clock.monotonic()
  // Lists find deliveries of a time by their ids: both are of the same millisecond.
  const id = means.ids.next()
  const receivedAt = madeAt(id)
  const book = await orUnavailable(means.ingress.book.get())
  // Also asked for a malformed id: while the book cannot be read, every id is answered alike.
  const live = book.get(request.sourceId.toLowerCase())
  if (!live?.forge) throw sourceNotFound()
  const { source, forge, origin, allows } = live
  const unread = { body: undefined, ticket: undefined }
  const arrival = { id, source, allows, forge, origin, request, receivedAt, startedAt, ...unread }
  if (!source.enabled) {
    // Recorded after the answer is written: neither the answer nor its time tells that the source exists.
    const verdict = refusal('unproved', UNCHECKED, sourceNotFound(), 'The source is disabled.')
    means.clock.nextTurn(() => void concludeDelivery(means, arrival, verdict).catch(() => undefined))
    throw sourceNotFound()
  }
  const read = await readWhole(means, arrival)
  if ('problem' in read) return concludeDelivery(means, arrival, read)
  try {
    return await concludeDelivery(means, read, await judge(means, live, read))
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
 * The delivery with its body. Without capacity the body is not read: a source that sends faster than is stored costs
 * nothing more. The ticket is taken when the body is there, because anybody can begin a thousand bodies and end none.
 */
async function readWhole(means: Means, arrival: Arrival): Promise<ReadArrival | Refusal> {
  const { id } = arrival.source
  try {
    means.ingress.admissions.requireCapacity(id)
    const body = await arrival.request.readBody(means.config.webhookBodyLimit, id)
    return { ...arrival, body, ticket: means.ingress.admissions.take(id, body.length) }
  } catch (error) {
    if (isOverloaded(error)) return refusal('overloaded', UNCHECKED, error)
    if (error instanceof Problem) return refusal('unproved', UNCHECKED, error)
    throw error
  }
}

/** Every check that follows the body, in order. Throws 503 problems while the decision needs what cannot be read. */
async function judge(means: Means, live: LiveSource, arrival: ReadArrival): Promise<Verdict> {
  try {
    const { source, receivedAt } = arrival
    const turn = isLarge(means, arrival) ? undefined : means.ingress.pace.turn(source.id)
    if (turn) await turn
    const snapshot = await orUnavailable(means.access.snapshot())
    const proved = await prove(means, live, arrival)
    if ('problem' in proved) return proved
    const checked = proved
    const rate = means.ingress.limits.takeRate(source)
    if (!rate.ok) return aboveRate(arrival, checked, rate.retryAfterSeconds)
    const reading = await hearOfInstallations(means, arrival, proved.reading)
    // A refusal needs only the known names.
    const names = await means.ingress.names.get().catch(() => undefined)
    const ownLogin = await orUnavailable(findOwnLogin(means, source))
    const judging = { source, allows: live.allows, names, at: receivedAt, ownLogin }
    const judged = judgeReading(reading, judging)
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
        const plans = await planEvents(means, arrival, { events, context })
        const learnt = newNames(await orUnavailable(means.ingress.names.get()), source.id, events, receivedAt)
        return { kind: 'decided', ...outcomeOf(plans), checked, plans, names: learnt }
      }
    }
  } catch (error) {
    if (isOverloaded(error)) return refusal('overloaded', UNCHECKED, error)
    throw error
  }
}

/**
 * News of an app's installations holds before the provider is answered: what is not stored is sent again. Heard twice it
 * changes nothing more.
 */
async function hearOfInstallations(means: Means, { source, body }: ReadArrival, reading: Reading): Promise<Reading> {
  if (reading.kind !== 'nothing_runnable' || !namesApp(source.credentialRef)) return reading
  const { eventType, action } = reading
  if (!eventType.startsWith('installation')) return reading
  const payload: unknown = JSON.parse(body.toString('utf8'))
  await orUnavailable(
    means.database.transaction((tx) => means.gitApps.hearDelivery(tx, source.id, { eventType, action, payload })),
  )
  return { ...reading, reason: 'The installations of the app follow what it tells.' }
}

function isLarge(means: Means, { body }: ReadArrival): boolean {
  return body.length >= means.forges.largeBytes
}

type Proved = Checked & { readonly reading: Reading }

/**
 * Verifies the delivery. Reading goes on at the same time; its result is used only when the rate allows the delivery.
 */
async function prove(means: Means, live: LiveSource, arrival: ReadArrival): Promise<Proved | Refusal> {
  const { request } = arrival
  const repeated = means.forges.findRepeatedHeader(arrival.forge, request.rawHeaders, request.headers)
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
      ? await verifyInTurn(means, arrival, secrets)
      : { verification: { outcome: 'mismatch' as const, detail: `The header ${repeated} came twice.` } }
  if ('reading' in verified) {
    const { verification, reading, deliveryId } = verified
    means.secrets.markUsed(secrets.read, secrets.places[verification.secretIndex])
    const note = reading.kind === 'events' && reading.note !== undefined ? ` ${reading.note}` : ''
    return { verification: 'verified', detail: `${verification.detail}${note}`, reading, deliveryId }
  }
  const { outcome: verification, detail } = verified.verification
  return refusal('unproved', { verification, detail }, forgeryProblem(means, arrival, detail))
}

/** Deliveries of ordinary size had their turn before. */
function verifyInTurn(
  means: Means,
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
  const verifying = () => means.forges.verifyDelivery(forge, asked)
  return isLarge(means, arrival) ? means.ingress.large.run(source.id, verifying) : verifying()
}

/**
 * 401; 429 where too many forgeries came from the address. A right signature passes all the same: everybody who sends from
 * one provider shares its address, and anybody can make that provider send forgeries here.
 */
function forgeryProblem(means: Means, { request }: Arrival, detail: string): Problem {
  const verdict = means.ingress.limits.takeForgery(request.address)
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
  const reason = `The source takes ${source.rateLimitPerMinute} deliveries a minute; this one came above that.`
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return refusal('above_rate', checked, sourceProblem('delivery.rate_exceeded', reason, { headers }))
}
