import { sha256 } from '#platform/crypto'
import type { Statement } from '#platform/database'
import type { Means } from '../means.ts'
import {
  describeHappening,
  isSameUntil,
  isUntimedChange,
  placeOf,
  type SettledResult,
  settledResult,
} from '../rules/index.ts'
import { insertEvents, type Posted, type RefChange, type TriggerEventRow } from '../store/events.ts'
import { type HeadRow, saveHeads } from '../store/heads.ts'
import { insertStarts, type StartRow } from '../store/starts.ts'
import { changeOf } from './change-key.ts'
import type { EventPlan } from './event-plan.ts'
import { RESOLVE_JOB, resolveQueue } from './resolve-job.ts'

/**
 * The statements that record events, queue their runs and cancel what comments asked for. The transaction fails with
 * `isRepeated` where another delivery of the same event has started one of the runs.
 */
export function admission(means: Means, plans: readonly EventPlan[]): readonly Statement[] {
  if (plans.length === 0) return []
  return [insertEvents(plans.map((plan) => recordOf(plan))), ...consequences(means, plans), ...adding(means, plans)]
}

export function recordOf(plan: EventPlan, posted?: Posted): TriggerEventRow {
  const changeKey = changeOf(plan)
  return {
    ...plan,
    changeKey,
    refChange: refChangeOf(plan),
    result: plan.pending ? 'pending' : settledResultOf(plan),
    posted,
  }
}

export function settledResultOf({ starts, cancels, trace }: EventPlan): SettledResult {
  return settledResult(trace.triggers, starts.length + cancels.length)
}

/** Undefined where the time tells changes apart, and for plans that claim nothing: replays and unvouched events. */
export function refChangeOf({ event, sourceId, vouched, replayOf }: EventPlan): RefChange | undefined {
  if (!vouched || replayOf !== null || !isUntimedChange(event)) return undefined
  const change = digestOf(event)
  const who = JSON.stringify([sourceId, event.repository.full_name.toLowerCase(), event.ref])
  return change === undefined ? undefined : { key: sha256(who).toString('hex'), change }
}

function digestOf(event: EventPlan['event']): string | undefined {
  const told = describeHappening(event)
  return told === undefined ? undefined : sha256(told).toString('hex')
}

/** The statements that an admitted event leads to, without the record of the event itself. */
export function consequences({ runs }: Means, plans: readonly EventPlan[]): readonly Statement[] {
  const statements: Statement[] = []
  const heads = headsOf(plans)
  if (heads.length > 0) statements.push(saveHeads(heads))
  const claims = plans.flatMap((plan) => (plan.vouched ? startsOf(plan) : []))
  if (claims.length > 0) statements.push(insertStarts(claims))
  const queued = plans.flatMap((plan) => plan.starts.map((start) => start.run))
  if (queued.length > 0) statements.push(...runs.queueing(queued))
  const cancels = plans.flatMap((plan) => plan.cancels)
  if (cancels.length > 0) statements.push(...runs.canceling(cancels))
  return statements
}

function adding(means: Means, plans: readonly EventPlan[]): readonly Statement[] {
  const pending = plans.filter((plan) => plan.pending)
  if (pending.length === 0) return []
  return [
    means.jobs.adding(
      RESOLVE_JOB,
      pending.map(({ eventId, sourceId, event }) => ({
        key: eventId,
        payload: { eventId },
        queue: resolveQueue(sourceId, event.repository.full_name),
      })),
    ),
  ]
}

/** Nothing for a replay, for which a person asked, and for an event that does not say which change it was. */
export function startsOf(plan: EventPlan): readonly StartRow[] {
  if (plan.starts.length === 0 || plan.replayOf !== null) return []
  const happening = digestOf(plan.event)
  if (happening === undefined) return []
  const place = placeOf(plan.event.repository)
  const { eventId } = plan
  const changeKey = changeOf(plan)
  return plan.starts.map(({ starter, generation = 1, judged = [], run }) => ({
    ...place,
    eventId,
    changeKey,
    judged,
    happening,
    starter,
    generation,
    runId: run.id,
    deliveryRecordId: plan.deliveryRecordId,
    madeAt: plan.receivedAt,
    sameUntil: isSameUntil(plan.event, plan.receivedAt),
  }))
}

/**
 * The last of each pull request: one statement takes a row only once. Posted events set no head: anybody may post one.
 */
function headsOf(plans: readonly EventPlan[]): readonly HeadRow[] {
  const rows = new Map<string, HeadRow>()
  for (const { event, sourceId, receivedAt, replayOf } of plans) {
    const pullRequest = event.pull_request
    if (event.kind !== 'pull_request' || !pullRequest || sourceId === null || replayOf !== null) continue
    if (event.after === null && pullRequest.head.sha_prefix === undefined) continue
    const repository = event.repository.full_name
    rows.set(`${sourceId} ${repository.toLowerCase()} ${pullRequest.number}`, {
      sourceId,
      repository,
      number: pullRequest.number,
      headSha: event.after,
      ref: event.ref,
      pullRequest,
      occurredAt: event.occurred_at,
      receivedAt,
    })
  }
  return [...rows.values()]
}
