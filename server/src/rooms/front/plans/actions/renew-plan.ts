import { PLANNABLE } from '@signalbox/contracts/plans'
import type { CallOrigin } from '#platform/http'
import { Problem } from '#platform/problems'
import { planProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import type { StoredPlan } from '../rules/index.ts'
import * as store from '../store.ts'
import { draftPlan, keepDraft } from './plan-write.ts'
import { openArguments } from './seal-plan.ts'

/**
 * Ends a plan that counts on what has changed, and plans the same anew for its planner. Answers plan.stale (409) with the id
 * of the fresh plan, where the write is not refused by now. Undefined where somebody was faster to end it: of several at once
 * one alone leaves a fresh plan.
 */
export async function renewPlan(
  means: Means,
  origin: CallOrigin,
  plan: StoredPlan,
  changed: readonly string[],
): Promise<Problem | undefined> {
  const fresh = await planAgain(means, origin, plan)
  const replacedBy = fresh instanceof Problem ? null : fresh.plan.id
  const isEnded = await means.database.transaction(async (tx) => {
    if (!(await store.markStale(tx, { id: plan.id, at: means.clock.now(), replacedBy }))) return false
    if (!(fresh instanceof Problem)) await keepDraft(means, tx, fresh.as, fresh.plan)
    await means.audit.record(tx, {
      origin,
      action: 'plan.stale',
      resource: { kind: 'plan', id: plan.id },
      teamPath: plan.teamPath,
      after: { changed: [...changed], replaced_by: replacedBy },
    })
    return true
  })
  if (!isEnded) return undefined
  if (replacedBy !== null) means.counts.count(plan.action, 'created')
  means.counts.count(plan.action, 'stale')
  const isOwn = plan.planner.kind === origin.caller.kind && plan.planner.id === origin.caller.id
  return staleProblem(changed, isOwn ? replacedBy : undefined)
}

/** `replacedBy`: the fresh plan; null: there is none; undefined: it is no matter of whoever asked, who cannot see it. */
export function staleProblem(changed: readonly string[], replacedBy: string | null | undefined): Problem {
  const what = changed.length > 0 ? `Since it was planned, this has changed: ${changed.join(', ')}. ` : ''
  if (replacedBy === undefined) {
    return planProblem('plan.stale', `${what}Nothing was done: its planner has to confirm a fresh plan first.`)
  }
  if (replacedBy === null) return planProblem('plan.stale', `${what}Nothing was done: plan it anew.`)
  return planProblem('plan.stale', `${what}Nothing was done: look at the fresh plan ${replacedBy}, and confirm that.`, {
    errors: [{ field: 'plan_id', message: replacedBy }],
    headers: { location: `/v1/plans/${replacedBy}` },
  })
}

interface Draft {
  readonly plan: StoredPlan
  /** Its planner. */
  readonly as: CallOrigin
}

/** A problem where the planner may no longer act, and where the write is refused by now. */
async function planAgain(means: Means, origin: CallOrigin, plan: StoredPlan): Promise<Draft | Problem> {
  const { kind, id } = plan.planner
  const action = PLANNABLE.find((each) => each === plan.action)
  try {
    const actor = await means.access.actAs({ kind, id, tokenId: plan.tokenId ?? undefined })
    if (!actor || action === undefined) return planProblem('plan.planner_gone', 'The planner may no longer act.')
    const session = plan.sessionId === null ? {} : { sessionId: plan.sessionId }
    const as = { ...origin, caller: { ...actor.caller, ...session } }
    return { as, plan: await draftPlan(means, as, { action, ...openArguments(means.sealer, plan) }) }
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
