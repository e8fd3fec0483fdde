import { Finding } from '@signalbox/contracts/http'
import { Precondition } from '@signalbox/contracts/plans'
import { type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { findOne, type Queryable, type RowOf, type Statement, toCamel, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'
import type { Confirmation, PlanPrincipal, StoredPlan, WrittenResource } from './rules/index.ts'

export async function insertPlan(db: Queryable, plan: StoredPlan): Promise<void> {
  await db
    .insertInto('plans')
    .values({
      id: plan.id,
      action: plan.action,
      target: plan.target,
      arguments: Buffer.from(plan.sealedArguments),
      effects: JSON.stringify(plan.effects),
      preconditions: JSON.stringify(plan.preconditions),
      reached_scopes: [...plan.scopes],
      reached_teams: [...plan.teams],
      permission: plan.permission,
      team_path: plan.teamPath,
      held: JSON.stringify(plan.held),
      confirmation: plan.confirmation,
      confirmation_reason: plan.confirmationReason,
      confirmation_place: plan.confirmationPlace,
      status: plan.status,
      planner_kind: plan.planner.kind,
      planner_id: plan.planner.id,
      planner_name: plan.planner.name,
      token_id: plan.tokenId,
      session_id: plan.sessionId,
      created_at: plan.createdAt,
      expires_at: plan.expiresAt,
    })
    .execute()
}

export async function findPlan(db: Queryable, id: string): Promise<StoredPlan | undefined> {
  const row = await findOne(db.selectFrom('plans').selectAll().where('id', '=', id))
  return row && toPlan(row)
}

export async function findPlans(db: Queryable, ids: readonly string[]): Promise<StoredPlan[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('plans')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
  return rows.map((row) => toPlan(toCamel(row)))
}

export interface PlanFilter extends Window {
  /** Their own plans; undefined: none. */
  readonly own: (Pick<PlanPrincipal, 'id'> & { readonly kind: string }) | undefined
  /** Of those the plans of one token alone. */
  readonly ownToken: string | undefined
  /** Where the caller holds a permission: what others put before persons there. */
  readonly approvable: readonly { readonly permission: string; readonly prefixes: readonly string[] }[]
  readonly status: StoredPlan['status'] | 'expired' | undefined
  readonly now: Date
}

/** Served by the index on planners, and by the few plans that wait for persons. */
export async function listPlans(db: Queryable, filter: PlanFilter): Promise<StoredPlan[]> {
  const { own, now, status } = filter
  const whose: ReturnType<typeof sql<SqlBool>>[] = []
  if (own !== undefined) {
    const token = filter.ownToken === undefined ? sql`` : sql` and token_id = ${filter.ownToken}`
    whose.push(sql<SqlBool>`(planner_kind = ${own.kind} and planner_id = ${own.id}${token})`)
  }
  const places = filter.approvable.filter(({ prefixes }) => prefixes.length > 0)
  if (places.length > 0) {
    const there = places.map(
      ({ permission, prefixes }) => sql`(permission = ${permission} and ${withinPrefixes('team_path', prefixes)})`,
    )
    whose.push(
      sql<SqlBool>`(status = 'waiting_for_person' and expires_at > ${now} and (${sql.join(there, sql` or `)}))`,
    )
  }
  if (whose.length === 0) return []
  let query = db
    .selectFrom('plans')
    .selectAll()
    .where(sql<SqlBool>`(${sql.join(whose, sql` or `)})`)
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (status === 'expired') {
    query = query.where('status', 'in', ['waiting', 'waiting_for_person']).where('expires_at', '<=', now)
  } else if (status !== undefined) {
    query = query.where('status', '=', status)
    if (status === 'waiting' || status === 'waiting_for_person') query = query.where('expires_at', '>', now)
  }
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map((row) => toPlan(toCamel(row)))
}

/** At most `most`; served by the index of open plans. */
export async function countOpen(
  db: Queryable,
  { kind, id }: { readonly kind: PlanPrincipal['kind']; readonly id: string },
  { now, most }: { readonly now: Date; readonly most: number },
): Promise<number> {
  const open = await db
    .selectFrom('plans')
    .select('id')
    .where('planner_kind', '=', kind)
    .where('planner_id', '=', id)
    .where('status', 'in', ['waiting', 'waiting_for_person'])
    .where('expires_at', '>', now)
    .limit(most)
    .execute()
  return open.length
}

export interface Consumption {
  readonly id: string
  readonly at: Date
  /** Undefined: nobody else approved it. */
  readonly approver: PlanPrincipal | undefined
  readonly resources: readonly WrittenResource[]
}

/**
 * In the transaction of the write: the row is changed by one of several at once. No row is answered for a plan that is used,
 * refused, stale or over.
 */
export function consuming({ id, at, approver, resources }: Consumption): Statement {
  return {
    text: `update plans set status = 'confirmed', ended_at = $2::timestamptz, resources = $3::jsonb,
      decider_kind = $4, decider_id = $5, decider_name = $6
      where id = $1::uuid and expires_at > $2::timestamptz
        and status = case when $5::text is null then 'waiting' else 'waiting_for_person' end
      returning id`,
    values: [
      id,
      at.toISOString(),
      JSON.stringify(resources),
      approver?.kind ?? null,
      approver?.id ?? null,
      approver?.name ?? null,
    ],
  }
}

export async function keepOutcome(db: Queryable, id: string, sealed: Uint8Array): Promise<void> {
  await db
    .updateTable('plans')
    .set({ outcome: Buffer.from(sealed) })
    .where('id', '=', id)
    .where('status', '=', 'confirmed')
    .execute()
}

/** False where the plan no longer waits for its planner. */
export async function askPerson(
  db: Queryable,
  id: string,
  { reason, place }: Pick<Confirmation, 'reason' | 'place'>,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('plans')
    .set({
      status: 'waiting_for_person',
      confirmation: 'person',
      confirmation_reason: reason,
      confirmation_place: place ?? null,
      expires_at: until,
    })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** False where the plan is no longer open. */
export async function refuseOpen(
  db: Queryable,
  {
    id,
    at,
    by,
    refusal,
  }: { readonly id: string; readonly at: Date; readonly by: PlanPrincipal; readonly refusal: string | null },
): Promise<boolean> {
  const result = await db
    .updateTable('plans')
    .set({
      status: 'refused',
      ended_at: at,
      decider_kind: by.kind,
      decider_id: by.id,
      decider_name: by.name,
      refusal,
    })
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'waiting_for_person'])
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** False where the plan is no longer open: somebody was faster. */
export async function markStale(
  db: Queryable,
  { id, at, replacedBy }: { readonly id: string; readonly at: Date; readonly replacedBy: string | null },
): Promise<boolean> {
  const result = await db
    .updateTable('plans')
    .set({ status: 'stale', ended_at: at, replaced_by: replacedBy })
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'waiting_for_person'])
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Served by the index on created_at. */
export async function dropPlans(db: Queryable, olderThan: Date): Promise<void> {
  await db.deleteFrom('plans').where('created_at', '<', olderThan).execute()
}

const Findings = Type.Array(Finding)
const Preconditions = Type.Array(Precondition)
const HeldList = Type.Array(Type.Tuple([Type.String(), Type.String()]))
const Resources = Type.Array(Type.Object({ kind: Type.String(), id: Type.String() }))

function toPlan(row: RowOf<'plans'>): StoredPlan {
  const { plannerKind, plannerId, plannerName, deciderKind, deciderId, deciderName, ...plan } = row
  const { arguments: sealedArguments, outcome: sealedOutcome, reachedScopes, reachedTeams, ...rest } = plan
  const { effects, preconditions, held, resources } = rest
  // Written by this store alone: another form is no plan of ours, and nothing is done by it.
  if (!Value.Check(Findings, effects) || !Value.Check(Preconditions, preconditions) || !Value.Check(HeldList, held)) {
    throw new Error(`the plan ${plan.id} is not as plans are stored`)
  }
  return {
    ...rest,
    effects,
    preconditions,
    held,
    scopes: reachedScopes,
    teams: reachedTeams,
    resources: Value.Check(Resources, resources) ? resources : null,
    sealedArguments,
    sealedOutcome,
    planner: { kind: plannerKind, id: plannerId, name: plannerName },
    decider:
      deciderKind === null || deciderId === null || deciderName === null
        ? null
        : { kind: deciderKind, id: deciderId, name: deciderName },
  }
}
