import type { Metrics } from '#platform/metrics'

export interface EventMetrics {
  evaluated(outcome: 'started' | 'refused' | 'not_matched'): void
}

export function createEventMetrics(metrics: Metrics): EventMetrics {
  const evaluations = metrics.counter(
    'signalbox_trigger_evaluations_total',
    'Triggers that were looked at for an event, by what came of it.',
    ['outcome'],
  )
  return { evaluated: (outcome) => evaluations.inc({ outcome }) }
}
