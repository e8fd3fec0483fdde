import type { Statement } from '#platform/database'
import type { EventNeeds } from '../index.ts'
import * as store from '../store.ts'
import type { EventPlan } from './plan-event.ts'

/** The statements that record events and queue their runs. */
export function admission(needs: Pick<EventNeeds, 'runs'>, plans: readonly EventPlan[]): readonly Statement[] {
  if (plans.length === 0) return []
  const recording = store.insertEvents(plans)
  const runs = plans.flatMap((plan) => plan.runs)
  return runs.length === 0 ? [recording] : [recording, needs.runs.queueing(runs)]
}
