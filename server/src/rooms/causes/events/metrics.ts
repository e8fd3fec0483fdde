import type { Metrics } from '#platform/metrics'

/** Counts each trigger that an event was compared with, by outcome. */
export type Evaluated = (outcome: 'started' | 'refused' | 'not_matched') => void

export function createEvaluated(metrics: Metrics): Evaluated {
  const evaluations = metrics.counter(
    'signalbox_trigger_evaluations_total',
    'Triggers that were looked at for an event, by what came of it.',
    ['outcome'],
  )
  return (outcome) => evaluations.inc({ outcome })
}
