import type { Queryable } from '#platform/database'
import { findRepeated, type Telling } from '../rules/index.ts'
import { findTellings, type TellingsAsked } from '../store/events.ts'
import { type EarlierStart, findStarts } from '../store/starts.ts'
import { refChangeOf, startsOf } from './admit-events.ts'
import type { EventPlan } from './event-plan.ts'
import { markCovered } from './mark-covered.ts'
import { highestLayer } from './trace-plan.ts'

/** Whether two plans of one group would start the same: then the second is a repetition, and no statement could say so. */
export function repeatThemselves(plans: readonly EventPlan[]): boolean {
  const keys = plans.flatMap(startsOf).map(keyOf)
  return new Set(keys).size < keys.length
}

/**
 * The plans less the runs that another delivery of the same change started, stored earlier or standing earlier in the
 * list. A run that is left out names the first run. A plan with no run left names the first delivery. A run for a
 * change that only looks the same starts under a number of its own. What this service made an event of meanwhile starts
 * nothing either.
 */
export async function markRepeated(db: Queryable, given: readonly EventPlan[]): Promise<readonly EventPlan[]> {
  const plans = await markCovered(db, given)
  const all = plans.flatMap(startsOf)
  if (all.length === 0) return plans
  // The moment that insertStarts compares with: repetitions that it refuses must be found here, or the transaction
  // would fail for ever.
  const at = new Date(Math.min(...all.map(({ madeAt }) => madeAt.getTime())))
  const claims = Map.groupBy(await findStarts(db, all, at), keyOf)
  const tellings = await readTellings(db, plans, claims)
  return plans.map((plan) => {
    const change = refChangeOf(plan)
    const told = change === undefined ? [] : (tellings.get(change.key) ?? [])
    const before = told.filter(({ eventId }) => eventId < plan.eventId)
    if (change) tellings.set(change.key, [...told, tellingOf(plan, change.change)])
    const repeated = new Map<string, EarlierStart>()
    const generations = new Map<string, number>()
    for (const start of startsOf(plan)) {
      const known = claims.get(keyOf(start)) ?? []
      const first = findRepeated({ ...start, kind: plan.event.kind, change: start.happening }, known, before)
      if (first) {
        repeated.set(start.runId, first)
        continue
      }
      const generation = Math.max(0, ...known.map((claim) => claim.generation)) + 1
      generations.set(start.runId, generation)
      claims.set(keyOf(start), [...known, { ...start, generation }])
    }
    const numbered = withGenerations(plan, generations)
    return repeated.size === 0 ? numbered : withoutRuns(numbered, repeated)
  })
}

interface StoredTelling extends Telling {
  readonly eventId: string
}

function tellingOf({ event, eventId, receivedAt }: EventPlan, change: string): StoredTelling {
  return { kind: event.kind, change, at: receivedAt, eventId }
}

/** The earlier tellings about the refs of plans that look like repetitions, by ref. */
async function readTellings(
  db: Queryable,
  plans: readonly EventPlan[],
  claims: ReadonlyMap<string, readonly EarlierStart[]>,
): Promise<Map<string, readonly StoredTelling[]>> {
  const asked = new Map<string, TellingsAsked>()
  for (const plan of plans) {
    const change = refChangeOf(plan)
    const made = startsOf(plan).flatMap(
      (start) => claims.get(keyOf(start))?.map(({ madeAt }) => madeAt.getTime()) ?? [],
    )
    if (!change || made.length === 0) continue
    const since = Math.min(...made, asked.get(change.key)?.since.getTime() ?? Number.POSITIVE_INFINITY)
    asked.set(change.key, { key: change.key, since: new Date(since) })
  }
  if (asked.size === 0) return new Map()
  return Map.groupBy(await findTellings(db, [...asked.values()]), ({ key }) => key)
}

function withGenerations(plan: EventPlan, generations: ReadonlyMap<string, number>): EventPlan {
  if ([...generations.values()].every((generation) => generation === 1)) return plan
  const starts = plan.starts.map((start) => ({ ...start, generation: generations.get(start.run.id) ?? 1 }))
  return { ...plan, starts }
}

function keyOf({ happening, starter }: Pick<EarlierStart, 'happening' | 'starter'>): string {
  return `${happening} ${starter}`
}

function withoutRuns(plan: EventPlan, repeated: ReadonlyMap<string, EarlierStart>): EventPlan {
  const starts = plan.starts.filter(({ run }) => !repeated.has(run.id))
  const triggers = plan.trace.triggers.map((trace) => {
    const first = trace.run_id === null ? undefined : repeated.get(trace.run_id)
    if (!first) return trace
    const by = first.deliveryRecordId === null ? 'Another event' : `The delivery ${first.deliveryRecordId}`
    return {
      ...trace,
      outcome: 'duplicate' as const,
      reason: `${by} told of the same change and started the run ${first.runId}.`,
      run_id: null,
    }
  })
  const [first] = repeated.values()
  const nothingLeft = starts.length === 0 && plan.pending === null && plan.cancels.length === 0
  return {
    ...plan,
    starts,
    repeats: nothingLeft ? (first?.deliveryRecordId ?? null) : null,
    trace: { ...plan.trace, layer: highestLayer(triggers), triggers },
  }
}
