import type { PlanConfirmation } from '@signalbox/contracts/plans'
import type { CallOrigin } from '#platform/http'
import { Problem } from '#platform/problems'
import { planProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { type Confirmation, findChanged, isOpen, PERSON_MS, type StoredPlan, statusAt } from '../rules/index.ts'
import * as store from '../store.ts'
import { actAsPlanner, carryOut, untilRightsHold } from './carry-out.ts'
import { getPlan, type SeenPlan } from './find-plan.ts'
import { findReached, judgeReached } from './judge-reach.ts'
import { plannerOf } from './plan-write.ts'
import { PlanNotOpen, PlanStale } from './read-signal.ts'
import { rehearse } from './rehearse-write.ts'
import { renewPlan, staleProblem } from './renew-plan.ts'
import { callOf, openArguments } from './seal-plan.ts'
import { waitForOutcome } from './wait-for-outcome.ts'

/**
 * Carries out a plan of the caller, or puts it before a person. A repetition gets the first answer. Throws plan.other_token
 * (403); plan.mismatch, plan.expired, plan.refused, plan.stale and plan.planner_gone (409); and what the write itself throws.
 */
export async function confirmPlan(
  means: Means,
  origin: CallOrigin,
  id: string,
  said: PlanConfirmation,
): Promise<SeenPlan> {
  const { plan, standing } = await getPlan(means, origin, id)
  if (!standing.hasCredential) {
    throw planProblem('plan.other_token', 'Confirm the plan with the token or the session that made it.')
  }
  if (said.action !== plan.action || said.target !== plan.target) {
    throw planProblem('plan.mismatch', `The plan is for ${plan.action} and ${plan.target}: say that, or plan another.`)
  }
  if (statusAt(plan, means.clock.now()) === 'waiting') await confirmWaiting(means, origin, plan)
  return getDone(means, origin, id)
}

async function confirmWaiting(means: Means, origin: CallOrigin, plan: StoredPlan): Promise<void> {
  // A plan that was told to wait waits.
  if (plan.confirmation === 'person') {
    const { confirmationReason: reason, confirmationPlace: place } = plan
    return askPerson(means, origin, plan, { reason, ...(place === null ? {} : { place }) })
  }
  await unlessOver(means, origin, plan, () =>
    untilRightsHold(async () => {
      const { confirmation, judgedAt, ...why } = await judgeAgain(means, origin, plan)
      if (confirmation === 'person') await askPerson(means, origin, plan, why)
      else await carryOut(means, origin, { plan, approver: undefined, judgedAt })
    }),
  )
}

/**
 * Since it was planned, a child pipeline may have got another scope, an environment may be protected, or the option may say
 * otherwise. So the write is rehearsed once more, and judged by all that it reaches then or reached before. Answers also the
 * revision of rights and environments by which that holds. Throws PlanStale where it would not be the write that was
 * described, and plan.planner_gone (409).
 */
async function judgeAgain(
  means: Means,
  origin: CallOrigin,
  plan: StoredPlan,
): Promise<Confirmation & { readonly judgedAt: number }> {
  const planner = plannerOf(means, plan.action)
  const call = callOf(openArguments(means.sealer, plan))
  // Before all that is read: whoever protects an environment meanwhile raises the revision.
  const { caller, revision: judgedAt } = await actAsPlanner(means, plan)
  const rehearsed = await rehearse(means, { ...origin, caller }, { planner, planId: plan.id, call })
  const changed = findChanged(plan.preconditions, planner.preconditions(rehearsed))
  if (changed.length > 0) throw new PlanStale(changed)
  const { scopes, teams, needsPerson } = await findReached(means, planner.describe(rehearsed))
  const judged = await judgeReached(means, {
    scopes: [...plan.scopes, ...scopes],
    teams: [...plan.teams, ...teams],
    needsPerson,
  })
  return { ...judged, judgedAt }
}

/**
 * Does the work about a plan that waits. Where others were faster, nothing more happens, and whoever asked is told what became
 * of it: the work may also have failed because theirs is done. Throws plan.stale (409), and what the work throws.
 */
export async function unlessOver(
  means: Means,
  origin: CallOrigin,
  plan: StoredPlan,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Problem && error.code === 'plan.stale') throw error
    const now = await store.findPlan(means.database.kysely, plan.id)
    const isOver = now !== undefined && !isOpen(now, means.clock.now())
    if (error instanceof PlanNotOpen || isOver) return
    if (!(error instanceof PlanStale)) throw error
    const problem = await renewPlan(means, origin, plan, error.changed)
    if (problem) throw problem
  }
}

async function askPerson(
  means: Means,
  origin: CallOrigin,
  plan: StoredPlan,
  why: Pick<Confirmation, 'reason' | 'place'>,
): Promise<void> {
  const now = means.clock.now()
  const until = new Date(now.getTime() + PERSON_MS)
  await means.database.transaction(async (tx) => {
    if (!(await store.askPerson(tx, plan.id, why, { now, until }))) return
    await means.audit.record(tx, {
      origin,
      action: 'plan.asked',
      resource: { kind: 'plan', id: plan.id },
      teamPath: plan.teamPath,
      after: { action: plan.action, target: plan.target, expires_at: until.toISOString() },
    })
  })
  means.counts.count(plan.action, 'asked')
}

/** The plan as it is by now: carried out, or put before a person. Throws the problem of any other state. */
export async function getDone(means: Means, origin: CallOrigin, id: string): Promise<SeenPlan> {
  await waitForOutcome(means, id)
  const seen = await getPlan(means, origin, id)
  switch (statusAt(seen.plan, means.clock.now())) {
    case 'confirmed':
    case 'waiting_for_person':
      return seen
    case 'refused':
      throw planProblem('plan.refused', 'The plan was refused: nothing was done.')
    case 'stale':
      throw staleProblem([], seen.standing.isOwn ? seen.plan.replacedBy : undefined)
    case 'waiting':
    case 'expired':
      throw planProblem('plan.expired', 'The plan has expired: nothing was done. Plan it anew.')
    default:
      throw new Error('a status of a plan that nobody knows')
  }
}
