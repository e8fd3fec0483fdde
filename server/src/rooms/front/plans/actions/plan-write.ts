import type { PlanRequest } from '@signalbox/contracts/plans'
import type { Tx } from '#platform/database'
import type { CallOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { planProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { MOST_OPEN, PLAN_MS, type StoredPlan } from '../rules/index.ts'
import * as store from '../store.ts'
import { permissionOf, planPrincipalOf } from './find-plan.ts'
import { findReached, judgeReached } from './judge-reach.ts'
import { type RehearsedWrite, rehearse } from './rehearse-write.ts'
import { callOf, sealArguments } from './seal-plan.ts'

/** Plans a write for the caller and their credential. Throws what draftPlan throws. */
export async function planWrite(means: Means, origin: CallOrigin, request: PlanRequest): Promise<StoredPlan> {
  const plan = await draftPlan(means, origin, request)
  await means.database.transaction((tx) => keepDraft(means, tx, origin, plan))
  means.counts.count(plan.action, 'created')
  return plan
}

/**
 * Judges and describes a write as a plan that is not stored yet. What the write would refuse is refused now, in its words.
 * Throws plan.too_many (409).
 */
export async function draftPlan(means: Means, origin: CallOrigin, request: PlanRequest): Promise<StoredPlan> {
  const { action, ...given } = request
  const planner = plannerOf(means, action)
  await requireRoom(means, origin)
  const id = means.ids.next()
  const rehearsed = await rehearse(means, origin, { planner, planId: id, call: callOf(given) })
  const described = planner.describe(rehearsed)
  const now = means.clock.now()
  const { needsPerson, ...reached } = await findReached(means, described)
  const { confirmation, reason, place = null } = await judgeReached(means, { ...reached, needsPerson })
  return {
    id,
    action,
    target: described.target.slice(0, 1200),
    sealedArguments: sealArguments(means.sealer, id, given),
    effects: described.effects,
    preconditions: planner.preconditions(rehearsed),
    ...reached,
    ...placeOf(means, action, rehearsed),
    confirmation,
    confirmationReason: reason,
    confirmationPlace: place,
    status: 'waiting',
    planner: planPrincipalOf(origin.caller),
    tokenId: origin.caller.token?.id ?? null,
    sessionId: origin.caller.sessionId ?? null,
    decider: null,
    refusal: null,
    replacedBy: null,
    resources: null,
    sealedOutcome: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + PLAN_MS),
    endedAt: null,
  }
}

/** `origin` is that of its planner. */
export async function keepDraft(
  { audit }: Pick<Means, 'audit'>,
  tx: Tx,
  origin: CallOrigin,
  plan: StoredPlan,
): Promise<void> {
  const { id, action, target, teamPath, confirmation } = plan
  await store.insertPlan(tx, plan)
  await audit.record(tx, {
    origin,
    action: 'plan.created',
    resource: { kind: 'plan', id },
    teamPath,
    after: { action, target, confirmation },
  })
}

export function plannerOf({ planners }: Means, action: string) {
  const planner = planners.get(action)
  if (planner) return planner
  const message = `must be one of ${[...planners.keys()].toSorted().join(', ')}`
  throw platformProblem('invalid_request', `action ${message}.`, { errors: [{ field: 'action', message }] })
}

async function requireRoom(means: Means, { caller }: CallOrigin): Promise<void> {
  const by = planPrincipalOf(caller)
  const open = await store.countOpen(means.database.kysely, by, { now: means.clock.now(), most: MOST_OPEN })
  if (open < MOST_OPEN) return
  const detail = `You have ${MOST_OPEN} plans that are open: confirm or refuse some, or wait until they expire.`
  throw planProblem('plan.too_many', detail)
}

/** The permission of the route and where it was asked, by which persons find the plan; and all that was asked. */
function placeOf({ calls }: Means, action: string, { held, deeds }: RehearsedWrite) {
  const [permission = ''] = permissionOf(calls.find(action))
  const asked = held.find(([name]) => name === permission)?.[1]
  return { permission, teamPath: deeds[0]?.teamPath ?? asked ?? '/', held }
}
