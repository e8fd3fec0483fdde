import type { Replay } from '@signalbox/contracts/sources'
import type { Reading } from '#adapters/forges'
import type { Caller, RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { EventPlan } from '#rooms/causes/events'
import { sourceProblem } from '../errors.ts'
import { type Delivery, type DeliveryOutcome, describeOutside, outcomeOf, type Source } from '../rules/index.ts'
import { findFirstAnswers } from '../store/commit.ts'
import * as store from '../store/deliveries.ts'
import { contextOf, planEvents, unavailable } from './admit-delivery.ts'
import { explainTrace } from './explain-trace.ts'
import { getVisible, sourceNotFound } from './find-source.ts'
import type { LiveSource } from './keep-sources.ts'
import { findAllowedName } from './know-names.ts'
import type { Ingress } from './open-ingress.ts'
import { readKeptPayload } from './read-payload.ts'
import { type Arrival, recordOf } from './record-delivery.ts'

export interface ReplayAsked {
  readonly sourceId: string
  /** Nothing is stored and nothing starts. */
  readonly dryRun: boolean
}

/** What became of a replay, and whether it produced work. */
export interface Replayed {
  readonly replay: Replay
  readonly started: boolean
}

/**
 * One stored delivery, read again by its provider's forge and held against today's allowlist and triggers. It is a repetition
 * of nothing. Its sender was proved when it came, and a person answers for it now, so that a source that is disabled,
 * perhaps just because of what it sent, can still be tried. Throws 409 problems for what cannot be run again.
 */
export async function replayDelivery(
  kit: Kit,
  ingress: Ingress,
  origin: RequestOrigin,
  asked: ReplayAsked,
  deliveryRecordId: string,
): Promise<Replayed> {
  const live = await findReplayable(kit, ingress, origin.caller, asked.sourceId)
  const delivery = await store.findDelivery(kit.database.kysely, live.source.id, deliveryRecordId)
  if (!delivery) throw platformProblem('not_found', 'There is no delivery of this id.')
  return replayOne(kit, ingress, origin, live, delivery, asked.dryRun)
}

/** The source, ready to read, where the caller may run its deliveries again. */
export async function findReplayable(
  kit: Kit,
  ingress: Ingress,
  caller: Caller,
  sourceId: string,
): Promise<LiveSource> {
  const { id, teamPath } = await getVisible(kit, caller, sourceId)
  if (!caller.can('delivery.replay', teamPath)) {
    throw platformProblem('forbidden', `You need the permission delivery.replay on ${teamPath}.`)
  }
  const book = await ingress.book.get().catch((error: unknown) => {
    throw unavailable(error)
  })
  const live = book.get(id)
  if (!live) throw sourceNotFound()
  return live
}

export async function replayOne(
  kit: Kit,
  ingress: Ingress,
  origin: RequestOrigin,
  live: LiveSource,
  delivery: Delivery,
  dryRun: boolean,
): Promise<Replayed> {
  const { source, forge } = live
  if (!forge) throw notReplayable(`This server does not know the provider ${source.provider} of the source.`)
  if (delivery.verification !== 'verified') {
    throw notReplayable('Its sender was not proved when it came, so nobody knows who wrote it.')
  }
  const kept = await readKeptPayload(kit, delivery)
  if (!kept) throw notReplayable('Its payload was not kept, or not any more (delivery_retention_days).')
  const { headers, body } = kept
  const arrival: Arrival = {
    id: kit.ids.next(),
    source,
    allows: live.allows,
    forge,
    origin: live.origin,
    request: { sourceId: source.id, headers, rawHeaders: [], address: origin.address, readBody: async () => body },
    receivedAt: kit.clock.now(),
    startedAt: kit.clock.monotonic(),
  }
  const reading = forge.webhooks.read(headers, body)
  const judged = await judge(kit, ingress, arrival, live, reading, delivery.id)
  const { outcome, plans } = dryRun ? await foresee(ingress, judged) : judged
  const detail = `Verified when it came; run again by ${origin.caller.name}.`
  const { verification, deliveryId } = delivery
  const checked = { verification, detail, body, reading, deliveryId }
  const asked: Delivery = {
    ...recordOf(kit, arrival, checked, { ...outcome, plans }),
    replayOf: delivery.id,
    payload: delivery.payload,
  }
  let record = asked
  if (!dryRun) {
    const { reportStatus: reportsStatus } = source
    const repetition = outcome.statusCode === 202 && (await isFirst(kit, delivery)) ? 'claim' : 'none'
    const entry = { delivery: asked, repetition, payload: undefined, plans, reportsStatus } as const
    record = (await ingress.committer.commit(entry)).delivery
    ingress.metrics.delivered(source.provider, record.result, (kit.clock.monotonic() - arrival.startedAt) / 1000)
    await audit(kit, ingress, origin, source, record)
  }
  const replay = {
    delivery_id: dryRun ? null : record.id,
    replay_of: delivery.id,
    result: record.result,
    reason: record.reason,
    run_ids: dryRun ? [] : [...record.runIds],
    trace: await explainTrace(ingress, dryRun ? withoutRuns(record.trace) : record.trace, origin.caller),
  }
  return { replay, started: !dryRun && record.result === 'accepted' }
}

/**
 * Of one that came above the rate: nothing was started for the provider's id of it, so that the replay stands for it, and
 * is what the provider repeats when it sends that again.
 */
async function isFirst(kit: Kit, { sourceId, deliveryId, statusCode }: Delivery): Promise<boolean> {
  if (statusCode !== 429 || deliveryId === null) return false
  return (await findFirstAnswers(kit.database.kysely, [{ sourceId, deliveryId }])).length === 0
}

/** The ids of runs that are not made lead nowhere. */
function withoutRuns(trace: Delivery['trace']): Delivery['trace'] {
  const events = trace.events.map((event) => ({
    ...event,
    triggers: event.triggers.map((trigger) => ({ ...trigger, run_id: null })),
  }))
  return { ...trace, events }
}

interface Judged {
  readonly outcome: Outcome
  readonly plans: readonly EventPlan[]
}

/** What is decided after the answer, decided now: a dry run that ends with "is being read" would explain nothing. */
async function foresee(ingress: Ingress, judged: Judged): Promise<Judged> {
  if (judged.plans.length === 0) return judged
  const plans = await Promise.all(
    judged.plans.map((plan) => (plan.pending === null ? plan : ingress.needs.events.foresee(plan))),
  )
  return { plans, outcome: outcomeOf(plans, true) }
}

type Outcome = Pick<DeliveryOutcome, 'result' | 'statusCode' | 'reason' | 'runIds'>

/** The same questions in the same order as ingress asks them behind the signature. */
async function judge(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  live: LiveSource,
  reading: Reading,
  replayOf: string,
): Promise<Judged> {
  const nothing = (result: Outcome['result'], statusCode: number, reason: string) => ({
    outcome: { result, statusCode, reason, runIds: [] },
    plans: [],
  })
  if (reading.kind === 'unreadable') return nothing('rejected', 400, reading.reason)
  if (reading.kind === 'nothing_runnable') {
    return live.source.acknowledgeUnmapped
      ? nothing('ignored', 200, reading.reason)
      : nothing('unprocessable', 422, reading.reason)
  }
  const outside = reading.events.find((event) => !live.allows(event.repository.full_name))
  if (outside) {
    const formerName = await findAllowedName(ingress, live, outside, arrival.receivedAt)
    const reason = describeOutside(outside.repository.full_name, formerName)
    return nothing('rejected', 403, reason)
  }
  const snapshot = await ingress.needs.access.snapshot().catch((error: unknown) => {
    throw unavailable(error)
  })
  const context = contextOf(live.source, snapshot)
  const plans = await planEvents(kit, ingress, arrival, reading.events, context, replayOf)
  return { outcome: outcomeOf(plans), plans }
}

async function audit(
  kit: Kit,
  ingress: Ingress,
  origin: RequestOrigin,
  source: Source,
  { id, replayOf, result, runIds }: Delivery,
): Promise<void> {
  await ingress.needs.audit.record(kit.database.kysely, {
    origin,
    action: 'delivery.replayed',
    resource: { kind: 'delivery', id: replayOf ?? id },
    teamPath: source.teamPath,
    after: { source_id: source.id, delivery_id: id, result, run_ids: [...runIds] },
  })
}

function notReplayable(why: string): Error {
  return sourceProblem('delivery.not_replayable', why)
}
