import { PLANNABLE, type Plan, type PlanOutcome } from '@signalbox/contracts/plans'
import { isUuid } from '#platform/ids'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import type { Means } from '../means.ts'
import { type StoredPlan, statusAt } from '../rules/index.ts'
import type { SeenPlan } from './find-plan.ts'
import { openOutcome } from './seal-plan.ts'

export function presentPlan(means: Means, { plan, given, reason, standing }: SeenPlan): Plan {
  const action = PLANNABLE.find((each) => each === plan.action)
  if (action === undefined) throw new Error(`nobody can plan ${plan.action}`)
  return {
    id: plan.id,
    action,
    target: plan.target,
    arguments: given ?? {},
    effects: [...plan.effects],
    preconditions: [...plan.preconditions],
    confirmation: plan.confirmation,
    confirmation_reason: reason,
    status: statusAt(plan, means.clock.now()),
    planned_by: plan.planner,
    token_id: plan.tokenId,
    decided_by: plan.decider,
    decided_at: plan.decider && toWireTimeOrNull(plan.endedAt),
    refusal: plan.refusal,
    // Nobody else may see the fresh plan before its planner confirms it.
    replaced_by: standing.isOwn ? plan.replacedBy : null,
    outcome: presentOutcome(means, plan, standing.seesOutcome),
    may_confirm: standing.mayConfirm,
    may_approve: standing.mayApprove,
    created_at: toWireTime(plan.createdAt),
    expires_at: toWireTime(plan.expiresAt),
  }
}

/** Whoever may no longer do what was done sees that it was done, and nothing of it. */
function presentOutcome({ sealer }: Means, plan: StoredPlan, isSeen: boolean): PlanOutcome | null {
  if (plan.status !== 'confirmed') return null
  const answered = isSeen ? openOutcome(sealer, plan) : undefined
  return {
    status: answered?.status ?? null,
    body: answered?.body ?? null,
    resources: (isSeen ? (plan.resources ?? []) : []).map(({ kind, id }) =>
      isUuid(id) ? { kind, id, name: null } : { kind, id: null, name: id },
    ),
  }
}
