import type { Replay } from '@signalbox/contracts/sources'
import type { Forge, Reading } from '#adapters/forges'
import { type Caller, type RequestOrigin, requirePermission } from '#platform/http'
import { madeAt } from '#platform/ids'
import { platformProblem } from '#platform/problems'
import type { EventPlan } from '#rooms/causes/events'
import { orUnavailable, sourceProblem } from '../errors.ts'
import type { Ticket } from '../ingress/admissions.ts'
import { type ReadArrival, recordOf, secondsSince } from '../ingress/arrival.ts'
import type { LiveSource } from '../ingress/source-book.ts'
import type { Means } from '../means.ts'
import {
  type Delivery,
  isMade,
  judgeReading,
  matchContextOf,
  type Outcome,
  outcomeOf,
  type Source,
} from '../rules/index.ts'
import { findFirstAnswers } from '../store/commit.ts'
import * as store from '../store/deliveries.ts'
import { explainTrace } from './explain-trace.ts'
import { findOwnLogin } from './find-own-login.ts'
import { getVisible, sourceNotFound } from './find-source.ts'
import { planEvents } from './plan-events.ts'
import { type KeptPayload, readKeptPayload } from './read-payload.ts'

export interface ReplayAsked {
  readonly sourceId: string
  /** A dry run stores and starts nothing. */
  readonly dryRun: boolean
}

/** The result of a replay, and whether the replay produced work. */
export interface Replayed {
  readonly replay: Replay
  readonly started: boolean
}

/**
 * One stored delivery, read again by its provider's forge and matched with today's allowlist and triggers. A replay
 * repeats no other delivery. The sender was proved when the delivery came, and a person answers for the replay now. A
 * disabled source can therefore still be tried, also when its deliveries caused that. Throws 409 problems for what
 * cannot be run again.
 */
export async function replayDelivery(
  means: Means,
  origin: RequestOrigin,
  asked: ReplayAsked,
  deliveryRecordId: string,
): Promise<Replayed> {
  const found = await findStored(means, origin.caller, asked.sourceId, deliveryRecordId)
  return replayOne(means, origin, { ...found, dryRun: asked.dryRun })
}

/** All that a replay would do, also by rules that the caller may not see: for the house alone. Throws as a replay. */
export async function foreseeEvents(
  means: Means,
  origin: RequestOrigin,
  sourceId: string,
  deliveryRecordId: string,
): Promise<readonly EventPlan[]> {
  const found = await findStored(means, origin.caller, sourceId, deliveryRecordId)
  return holdArrival(means, origin, found, async (arrival) => {
    const reading = arrival.forge.webhooks.read(arrival.request.headers, arrival.body)
    const judged = await judge(means, { live: found.live, arrival, reading, replayOf: found.delivery.id })
    return (await foresee(means, judged)).plans
  })
}

type Stored = Pick<Replaying, 'live' | 'delivery'>

async function findStored(means: Means, caller: Caller, sourceId: string, recordId: string): Promise<Stored> {
  const live = await findReplayable(means, caller, sourceId)
  const delivery = await store.findDelivery(means.database.kysely, live.source.id, recordId)
  if (!delivery) throw platformProblem('not_found', 'There is no delivery of this id.')
  return { live, delivery }
}

/** The source, ready to read, where the caller may run its deliveries again. */
export async function findReplayable(means: Means, caller: Caller, sourceId: string): Promise<LiveSource> {
  const { id, teamPath } = await getVisible(means, caller, sourceId)
  requirePermission(caller, 'delivery.replay', teamPath)
  const book = await orUnavailable(means.ingress.book.get())
  const live = book.get(id)
  if (!live) throw sourceNotFound()
  return live
}

export async function replayOne(
  means: Means,
  origin: RequestOrigin,
  asked: Omit<Replaying, 'arrival'>,
): Promise<Replayed> {
  return holdArrival(means, origin, asked, (arrival) => replayHeld(means, origin, { ...asked, arrival }))
}

async function holdArrival<T>(
  means: Means,
  origin: RequestOrigin,
  { live, delivery }: Stored,
  work: (arrival: ReadArrival) => Promise<T>,
): Promise<T> {
  const { source, forge } = live
  if (!forge) throw notReplayable(`This server does not know the provider ${source.provider} of the source.`)
  if (isMade(delivery))
    throw notReplayable('No delivery came: this service made the event, so there is nothing to read.')
  if (delivery.verification !== 'verified') {
    throw notReplayable('The sender was not proved when the delivery came, so its author is unknown.')
  }
  const kept = await readKeptPayload(means, delivery)
  if (!kept) throw notReplayable('The payload was not kept, or has expired (delivery_retention_days).')
  const ticket = means.ingress.admissions.take(source.id, kept.body.length)
  try {
    return await work(arrive(means, origin, { live, forge, kept, ticket }))
  } finally {
    ticket.giveBack()
  }
}

interface Kept {
  readonly live: LiveSource
  readonly forge: Forge
  readonly kept: KeptPayload
  readonly ticket: Ticket
}

/** Treats the stored delivery as if it came now. */
function arrive(means: Means, { address }: RequestOrigin, { live, forge, kept, ticket }: Kept): ReadArrival {
  const { source, allows, origin } = live
  const { headers, body } = kept
  const id = means.ids.next()
  return {
    id,
    source,
    allows,
    forge,
    origin,
    request: { sourceId: source.id, headers, rawHeaders: [], address, readBody: async () => body },
    receivedAt: madeAt(id),
    startedAt: means.clock.monotonic(),
    body,
    ticket,
  }
}

interface Replaying {
  readonly live: LiveSource
  readonly delivery: Delivery
  readonly arrival: ReadArrival
  readonly dryRun: boolean
}

async function replayHeld(
  means: Means,
  origin: RequestOrigin,
  { live, delivery, arrival, dryRun }: Replaying,
): Promise<Replayed> {
  const { source, forge, request, body, ticket } = arrival
  const reading = forge.webhooks.read(request.headers, body)
  const judged = await judge(means, { live, arrival, reading, replayOf: delivery.id })
  const { outcome, plans } = dryRun ? await foresee(means, judged) : judged
  const detail = `Verified when it came; run again by ${origin.caller.name}.`
  const { verification, deliveryId } = delivery
  const checked = { verification, detail, reading, deliveryId }
  const asked: Delivery = {
    ...recordOf(means, arrival, { ...outcome, checked, plans }),
    replayOf: delivery.id,
    payload: delivery.payload,
  }
  let record = asked
  if (!dryRun) {
    const { reportStatus: reportsStatus } = source
    const repetition = outcome.statusCode === 202 && (await isFirst(means, delivery)) ? 'claim' : 'none'
    const entry = { delivery: asked, repetition, payload: undefined, plans, reportsStatus } as const
    record = (await means.ingress.committer.commit(entry, ticket)).delivery
    means.ingress.metrics.delivered(source.provider, record.result, secondsSince(means, arrival))
    await audit(means, origin, source, record)
  }
  const replay = {
    delivery_id: dryRun ? null : record.id,
    replay_of: delivery.id,
    result: record.result,
    reason: record.reason,
    run_ids: dryRun ? [] : [...record.runIds],
    trace: await explainTrace(means, dryRun ? withoutRuns(record.trace) : record.trace, origin.caller),
  }
  return { replay, started: !dryRun && record.result === 'accepted' }
}

/**
 * A delivery above the rate started nothing for its provider's id. The replay therefore stands for that id, and a later
 * delivery with that id repeats the replay.
 */
async function isFirst(means: Means, { sourceId, deliveryId, statusCode }: Delivery): Promise<boolean> {
  if (statusCode !== 429 || deliveryId === null) return false
  return (await findFirstAnswers(means.database.kysely, [{ sourceId, deliveryId }])).length === 0
}

/** A dry run makes no runs, so its trace names none. */
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

/** Decides now what a job decides after the answer: a dry run that ends with "is being read" would explain nothing. */
async function foresee(means: Means, judged: Judged): Promise<Judged> {
  if (judged.plans.length === 0) return judged
  const plans = await Promise.all(
    judged.plans.map((plan) => (plan.pending === null ? plan : means.events.foresee(plan))),
  )
  return { plans, outcome: outcomeOf(plans, true) }
}

interface Asked {
  readonly live: LiveSource
  readonly arrival: ReadArrival
  readonly reading: Reading
  readonly replayOf: string
}

/** Asks what ingress asks after the signature, in the same order. */
async function judge(means: Means, { live, arrival, reading, replayOf }: Asked): Promise<Judged> {
  const { source, receivedAt } = arrival
  const names = await means.ingress.names.get().catch(() => undefined)
  const ownLogin = await findOwnLogin(means, source)
  const judged = judgeReading(reading, { source, allows: live.allows, names, at: receivedAt, ownLogin })
  switch (judged.kind) {
    case 'refused': {
      const { status: statusCode } = sourceProblem(judged.code, judged.reason)
      const result = statusCode === 422 ? 'unprocessable' : 'rejected'
      return { outcome: { result, statusCode, reason: judged.reason, runIds: [] }, plans: [] }
    }
    case 'ignored':
      return { outcome: { result: 'ignored', statusCode: 200, reason: judged.reason, runIds: [] }, plans: [] }
    case 'events': {
      const snapshot = await orUnavailable(means.access.snapshot())
      const context = matchContextOf(source, snapshot)
      const plans = await planEvents(means, arrival, { events: judged.events, context, replayOf })
      return { outcome: outcomeOf(plans), plans }
    }
  }
}

async function audit(
  means: Means,
  origin: RequestOrigin,
  source: Source,
  { id, replayOf, result, runIds }: Delivery,
): Promise<void> {
  await means.audit.record(means.database.kysely, {
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
