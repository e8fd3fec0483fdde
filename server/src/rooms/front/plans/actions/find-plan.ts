import type { PlanArguments, PlanQuery } from '@signalbox/contracts/plans'
import { type Caller, type CallOrigin, holdsAll, type Page, pageOf } from '#platform/http'
import type { PlannedCall } from '#platform/planning'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { type PlanPrincipal, type Standing, type StoredPlan, standingOf } from '../rules/index.ts'
import * as store from '../store.ts'
import { reasonFor } from './judge-reach.ts'
import { callOf, findArguments } from './seal-plan.ts'

/** A plan as the caller sees it, and what the caller may do with it. */
export interface SeenPlan {
  readonly plan: StoredPlan
  /** Undefined: they do not open any more. */
  readonly given: PlanArguments | undefined
  /** Why another person has to approve. */
  readonly reason: string | null
  readonly standing: Standing
}

/** Throws not_found (404) for one that is not there and for one that the caller may not see: in the same words. */
export async function getPlan(means: Means, { caller }: CallOrigin, id: string): Promise<SeenPlan> {
  const plan = await store.findPlan(means.database.kysely, id)
  const [seen] = plan ? await listSeen(means, caller, [plan]) : []
  if (!seen) throw platformProblem('not_found', 'There is no plan of this id that you may see.')
  return seen
}

/** Those of the plans that the caller may see, in their order. */
async function listSeen(means: Means, caller: Caller, plans: readonly StoredPlan[]): Promise<SeenPlan[]> {
  const standings = await judgeStandings(means, plans)
  return standings.map((look) => look(caller)).filter(({ standing }) => standing.maySee)
}

/** For each plan, how a viewer stands to it. Nothing is rehearsed: a look costs a few queries, however many plans there are. */
export async function judgeStandings(
  means: Means,
  plans: readonly StoredPlan[],
): Promise<readonly ((viewer: Caller) => SeenPlan)[]> {
  const opened = plans.map((plan) => ({ plan, given: findArguments(means.sealer, plan) }))
  const doers = await findDoers(means, opened)
  return opened.map(({ plan, given }) => (viewer) => {
    const standing = standingFor(means, viewer, plan, doers.get(plan.id))
    const mayConfirm = standing.mayConfirm && given !== undefined
    return { plan, given, reason: reasonFor(viewer, plan), standing: { ...standing, mayConfirm } }
  })
}

type IsDoer = (viewer: Caller) => boolean

const NOBODY: IsDoer = () => false

/** Of the plans of writes that more than permissions decides about: by id, who may do the same. What does not open: nobody. */
async function findDoers(
  { planners }: Means,
  plans: readonly Pick<SeenPlan, 'plan' | 'given'>[],
): Promise<Map<string, IsDoer>> {
  const found = new Map<string, IsDoer>()
  const whole: { readonly id: string; readonly action: string; readonly call: PlannedCall }[] = []
  for (const { plan, given } of plans) {
    if (given) whole.push({ id: plan.id, action: plan.action, call: callOf(given) })
    else found.set(plan.id, NOBODY)
  }
  for (const [action, same] of Map.groupBy(whole, (each) => each.action)) {
    const planner = planners.get(action)
    if (!planner?.findDoers) continue
    const doers = await planner.findDoers(same.map(({ call }) => call))
    same.forEach(({ id }, at) => found.set(id, doers[at] ?? NOBODY))
  }
  return found
}

export async function listPlans(means: Means, { caller }: CallOrigin, query: PlanQuery): Promise<Page<SeenPlan>> {
  const { show = 'all', status } = query
  const isPerson = caller.kind === 'user'
  const filter = {
    own: show === 'to_approve' ? undefined : { kind: caller.kind, id: caller.id },
    ownToken: caller.token?.limits ? caller.token.id : undefined,
    approvable: show === 'own' || !isPerson ? [] : approvableBy(means, caller),
    status,
    now: means.clock.now(),
  }
  const page = await pageOf(query, (window) => store.listPlans(means.database.kysely, { ...filter, ...window }))
  // The query knows one permission at one place; a write may have asked for more. Such a page holds fewer.
  const seen = await listSeen(means, caller, page.items)
  return { ...page, items: seen.filter(({ standing }) => show !== 'to_approve' || standing.mayApprove) }
}

function approvableBy({ planners, calls }: Means, caller: Caller) {
  const permissions = new Set([...planners.keys()].flatMap((operation) => permissionOf(calls.find(operation))))
  return [...permissions].map((permission) => ({ permission, prefixes: caller.prefixes(permission) }))
}

type FoundRoute = ReturnType<Means['calls']['find']>

/** None for a route that asks for none. */
export function permissionOf(route: FoundRoute) {
  return route?.class === 'authorized' ? [route.permission] : []
}

function standingFor({ clock }: Means, caller: Caller, plan: StoredPlan, isDoer: IsDoer = () => true): Standing {
  const looker = {
    kind: caller.kind,
    id: caller.id,
    tokenId: caller.token?.id ?? null,
    sessionId: caller.sessionId ?? null,
    isLimited: caller.token?.limits !== undefined,
    mayDoIt: plan.held.length > 0 && holdsAll(caller, plan.held) && isDoer(caller),
  }
  return standingOf(plan, looker, clock.now())
}

/** Throws unauthenticated (401) for the product itself, which plans nothing. */
export function planPrincipalOf({ kind, id, name }: Caller): PlanPrincipal {
  if (kind !== 'system') return { kind, id, name }
  throw platformProblem('unauthenticated', 'Use the token of a user or service account.')
}
