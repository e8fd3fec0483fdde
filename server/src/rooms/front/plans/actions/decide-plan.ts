import type { CallOrigin } from '#platform/http'
import { Problem, platformProblem } from '#platform/problems'
import { planProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { isOpen, type StoredPlan, statusAt } from '../rules/index.ts'
import * as store from '../store.ts'
import { carryOut, untilRightsHold } from './carry-out.ts'
import { getDone, unlessOver } from './confirm-plan.ts'
import { getPlan, planPrincipalOf, type SeenPlan } from './find-plan.ts'
import { plannerOf } from './plan-write.ts'
import { rehearse } from './rehearse-write.ts'
import { callOf, openArguments } from './seal-plan.ts'

/**
 * A person approves the plan of another account; it is carried out as its planner. The person must be allowed to do the
 * same: the write is rehearsed as the person first. Throws plan.own (403), plan.not_asked, plan.planner_gone and the
 * problems of getDone (409), and what the write itself throws.
 */
export async function approvePlan(means: Means, origin: CallOrigin, id: string): Promise<SeenPlan> {
  const { plan, standing } = await getPlan(means, origin, id)
  if (standing.isOwn) {
    throw planProblem('plan.own', 'Another person has to approve it: nobody approves what their own account planned.')
  }
  const status = statusAt(plan, means.clock.now())
  if (status === 'waiting') throw planProblem('plan.not_asked', 'Its planner has not confirmed the plan yet.')
  if (status === 'waiting_for_person') {
    if (!standing.mayApprove) throw platformProblem('forbidden', 'You may not approve this plan.')
    await unlessOver(means, origin, plan, () =>
      // Of the rights of both.
      untilRightsHold(async () => carryOutFor(means, origin, plan, await rehearseAs(means, origin, plan))),
    )
  }
  return getDone(means, origin, id)
}

/** Answers the revision of the rights by which the person may do the same. */
async function rehearseAs(means: Means, origin: CallOrigin, plan: StoredPlan): Promise<number> {
  const { kind, id } = planPrincipalOf(origin.caller)
  const { token, sessionId } = origin.caller
  const actor = await means.access.actAs({ kind, id, tokenId: token?.id })
  if (!actor) throw platformProblem('forbidden', 'You may not decide about this plan.')
  const caller = { ...actor.caller, ...(sessionId === undefined ? {} : { sessionId }) }
  const call = callOf(openArguments(means.sealer, plan))
  await rehearse(means, { ...origin, caller }, { planner: plannerOf(means, plan.action), planId: plan.id, call })
  return actor.revision
}

/** What the planner may no longer do is not said to the person as if they might not. */
async function carryOutFor(means: Means, origin: CallOrigin, plan: StoredPlan, judgedAt: number): Promise<void> {
  try {
    await carryOut(means, origin, { plan, approver: planPrincipalOf(origin.caller), judgedAt })
  } catch (error) {
    if (!(error instanceof Problem) || (error.status !== 403 && error.status !== 404)) throw error
    const detail = 'The planner may no longer do what was planned: nothing was done.'
    throw planProblem('plan.planner_gone', detail, { cause: error })
  }
}

/**
 * Ends an open plan: that of another account as a person who may do the same, or an own one. The write is not rehearsed: a
 * plan that nobody can carry out any more can be refused as well.
 */
export async function refusePlan(
  means: Means,
  origin: CallOrigin,
  id: string,
  reason: string | undefined,
): Promise<SeenPlan> {
  const { plan, standing } = await getPlan(means, origin, id)
  const at = means.clock.now()
  if (isOpen(plan, at) && !standing.mayRefuse) throw platformProblem('forbidden', 'You may not refuse this plan.')
  const refused = await means.database.transaction(async (tx) => {
    const by = planPrincipalOf(origin.caller)
    if (!(await store.refuseOpen(tx, { id, at, by, refusal: reason ?? null }))) return false
    await means.audit.record(tx, {
      origin,
      action: 'plan.refused',
      resource: { kind: 'plan', id },
      teamPath: plan.teamPath,
      after: { action: plan.action, target: plan.target, reason: reason ?? null },
    })
    return true
  })
  if (refused) means.counts.count(plan.action, 'refused')
  const seen = await getPlan(means, origin, id)
  const status = statusAt(seen.plan, means.clock.now())
  if (status === 'refused') return seen
  const detail = `The plan is ${status}: there is nothing to refuse any more.`
  if (status === 'confirmed') throw planProblem('plan.used', detail)
  throw planProblem(status === 'stale' ? 'plan.stale' : 'plan.expired', detail)
}
