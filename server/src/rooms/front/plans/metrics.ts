import type { Kit } from '#platform/room'

export type PlanEvent = 'created' | 'confirmed' | 'approved' | 'asked' | 'refused' | 'stale'

export interface PlanMetrics {
  count(action: string, outcome: PlanEvent): void
}

export function createPlanMetrics(kit: Kit): PlanMetrics {
  const total = kit.metrics.counter('signalbox_plans_total', 'Plans, by action and what became of them', [
    'action',
    'outcome',
  ])
  return { count: (action, outcome) => total.inc({ action, outcome }) }
}
