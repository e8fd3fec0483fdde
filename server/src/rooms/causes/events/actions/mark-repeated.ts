import type { Queryable } from '#platform/database'
import { type EarlierStart, findStarts } from '../store/starts.ts'
import { startsOf } from './admit-events.ts'
import type { EventPlan } from './plan-event.ts'
import { highestLayer } from './trace-plan.ts'

/** Whether two plans of one group would start the same: then the second is a repetition, and no statement could say so. */
export function repeatThemselves(plans: readonly EventPlan[]): boolean {
  const keys = plans.flatMap(startsOf).map(keyOf)
  return new Set(keys).size < keys.length
}

/**
 * The plans less the runs that another delivery of the same event started, stored earlier or standing earlier in the list.
 * What is left out names the first run, and the plan the first delivery where nothing is left.
 */
export async function markRepeated(db: Queryable, plans: readonly EventPlan[]): Promise<readonly EventPlan[]> {
  const all = plans.flatMap(startsOf)
  if (all.length === 0) return plans
  const firsts = new Map<string, EarlierStart>()
  // The moment that insertStarts goes by: what it refuses must be found here, or the transaction would fail for ever.
  const at = new Date(Math.min(...all.map(({ receivedAt }) => receivedAt.getTime())))
  for (const found of await findStarts(db, all, at)) firsts.set(keyOf(found), found)
  return plans.map((plan) => {
    const repeated = new Map<string, EarlierStart>()
    for (const start of startsOf(plan)) {
      const first = firsts.get(keyOf(start))
      if (first) repeated.set(start.runId, first)
      else firsts.set(keyOf(start), start)
    }
    return repeated.size === 0 ? plan : withoutRuns(plan, repeated)
  })
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
