import { alongside, execute, type Queryable, type Rider, type Statement } from '#platform/database'
import type { CallOrigin } from '#platform/http'
import type { Deed, PlannedCall, Planner } from '#platform/planning'
import type { Actor } from '#rooms/foundation/access'
import { planProblem, rightsKeepChanging } from '../errors.ts'
import type { Means } from '../means.ts'
import { findChanged, type PlanPrincipal, type StoredPlan, type WrittenResource } from '../rules/index.ts'
import * as store from '../store.ts'
import { plannerOf } from './plan-write.ts'
import { PlanNotOpen, PlanStale, RightsChanged, signalIn } from './read-signal.ts'
import { askPlanner, foresee } from './rehearse-write.ts'
import { callOf, openArguments, sealOutcome } from './seal-plan.ts'

/** Rights change seldom; whoever changes them all the time keeps a plan from being carried out, and no more. */
const TRIES = 5

export interface Order {
  readonly plan: StoredPlan
  /** Undefined: the planner confirmed, and that is enough. */
  readonly approver: PlanPrincipal | undefined
  /** The revision of rights and environments by which it was judged who has to say yes, and whether they may. */
  readonly judgedAt: number
}

/**
 * Does what was planned, by its own route and as the planner, with the rights and the limits of this moment. The plan is
 * consumed in the transaction of the write. There the write's own records are compared with what was planned, and the rights
 * by which it was judged are held. So nothing is done twice, by a wrong one, or on a ground that has changed, whenever a
 * process dies. Throws the problem of the route, plan.planner_gone (409), PlanStale, PlanNotOpen, and RightsChanged where it
 * has to be judged again.
 */
export async function carryOut(means: Means, origin: CallOrigin, order: Order): Promise<void> {
  const { plan, approver } = order
  const planner = plannerOf(means, plan.action)
  const call = callOf(openArguments(means.sealer, plan))
  const { caller } = await actAsPlanner(means, plan)
  const via = { ...origin.via, plan_id: plan.id, ...(approver ? { approved_by: approver } : {}) }
  const as = { ...origin, caller, via }
  try {
    if (planner.isAsked) await requireForeseen(means, as, { plan, planner, call })
    means.failPoints.hit('plans.before_write')
    await write(means, as, { order, planner, call, asker: origin })
  } catch (error) {
    throw signalIn(error) ?? error
  }
}

/** As long as rights or environments change in between, all is judged anew. Throws authorization_unavailable (503). */
export async function untilRightsHold(judgeAndDo: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await judgeAndDo()
      return
    } catch (error) {
      if (!(error instanceof RightsChanged)) throw error
      if (tries >= TRIES) throw rightsKeepChanging()
    }
  }
}

/** The planner, with the rights of this moment. Throws plan.planner_gone (409). */
export async function actAsPlanner({ access, sessions }: Means, plan: StoredPlan): Promise<Actor> {
  const { kind, id } = plan.planner
  const actor = await access.actAs({ kind, id, tokenId: plan.tokenId ?? undefined })
  // Whoever ends a session raises the revision: one that lasts now lasts until the write is committed.
  const hasEnded = plan.sessionId !== null && !(await sessions.isLasting(plan.sessionId))
  if (!actor || hasEnded) {
    const detail = 'The account, the token or the session that made the plan may no longer act: plan it anew.'
    throw planProblem('plan.planner_gone', detail)
  }
  return actor
}

interface Writing {
  readonly order: Order
  readonly planner: Planner
  readonly call: PlannedCall
  /** Who confirmed or approved. */
  readonly asker: CallOrigin
}

async function write(means: Means, as: CallOrigin, writing: Writing): Promise<void> {
  const { plan, approver, judgedAt } = writing.order
  let isRecorded = false
  const rider: Rider = {
    async ride(tx) {
      const deeds = await means.audit.listDeeds(tx, plan.id)
      requireSame(plan, writing, deeds)
      await execute(tx, consuming(means, writing.order, resourcesOf(deeds)))
      if (!(await means.access.holdRights(tx, judgedAt))) throw new RightsChanged()
      await record(means, tx, writing)
      isRecorded = true
      means.failPoints.hit('plans.before_commit')
    },
    statements: [
      consuming(means, writing.order, []),
      means.access.holdingRights((revision) => {
        if (revision !== judgedAt) throw new RightsChanged()
      }),
    ],
  }
  const { result, rode } = await alongside(rider, () => means.calls.call(plan.action, writing.call, as))
  // There was nothing to write: the plan is consumed all the same.
  if (!rode) await means.database.transaction((tx) => rider.ride(tx))
  means.failPoints.hit('plans.after_commit')
  if (!isRecorded) await record(means, means.database.kysely, writing)
  means.counts.count(plan.action, approver ? 'approved' : 'confirmed')
  // The write is done: whoever asked must hear so even where the answer cannot be kept.
  await store
    .keepOutcome(means.database.kysely, plan.id, sealOutcome(means.sealer, plan.id, result))
    .catch((error: Error) => means.log.warn({ err: error.message, plan: plan.id }, 'the answer of a plan was not kept'))
}

/** Of several at once the first has the row; the others find it used, and all that they did is rolled back. */
function consuming({ clock }: Means, { plan, approver }: Order, resources: readonly WrittenResource[]): Statement {
  return {
    ...store.consuming({ id: plan.id, at: clock.now(), approver, resources }),
    follow(rows) {
      if (rows.length === 0) throw new PlanNotOpen()
      return []
    },
  }
}

function requireSame(plan: StoredPlan, { planner, call }: Writing, deeds: readonly Deed[]): void {
  if (planner.isAsked) return
  const changed = findChanged(plan.preconditions, planner.preconditions({ call, deeds, asked: undefined }))
  if (changed.length > 0) throw new PlanStale(changed)
}

async function requireForeseen(
  means: Means,
  as: CallOrigin,
  { plan, planner, call }: Pick<Writing, 'planner' | 'call'> & { readonly plan: StoredPlan },
): Promise<void> {
  const asked = await askPlanner(means, as, planner, call)
  const foreseen = await foresee(means, as, { planner, planId: plan.id, call })
  const changed = findChanged(plan.preconditions, planner.preconditions({ call, deeds: [], asked, foreseen }))
  if (changed.length > 0) throw new PlanStale(changed)
}

function resourcesOf(deeds: readonly Deed[]): readonly WrittenResource[] {
  return deeds.map(({ resource }) => resource)
}

async function record(means: Means, db: Queryable, { order, asker }: Writing): Promise<void> {
  const { plan, approver } = order
  const { kind, id, name } = plan.planner
  await means.audit.record(db, {
    origin: asker,
    action: approver ? 'plan.approved' : 'plan.confirmed',
    resource: { kind: 'plan', id: plan.id },
    teamPath: plan.teamPath,
    after: { action: plan.action, target: plan.target, planned_by: { kind, id, name } },
  })
}
