import type { Metrics } from '#platform/metrics'
import type { DeliveryResult } from './rules/index.ts'

export interface SourceMetrics {
  /** `provider` of the source; `unknown` without a source. */
  delivered(provider: string, result: DeliveryResult, seconds: number): void
  /** Refused without a record, because too many like it came. */
  unrecorded(provider: string): void
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createSourceMetrics(metrics: Metrics): SourceMetrics {
  const deliveries = metrics.counter(
    'signalbox_webhook_deliveries_total',
    'Webhook deliveries, by the provider of the source and by what became of them.',
    ['provider', 'result'],
  )
  const durations = metrics.histogram(
    'signalbox_webhook_delivery_duration_seconds',
    'From the arrival of a delivery to its answer.',
    [],
    BUCKETS,
  )
  const unrecorded = metrics.counter(
    'signalbox_webhook_deliveries_unrecorded_total',
    'Refused deliveries that were not recorded one by one, because too many like them came.',
    ['provider'],
  )
  return {
    delivered(provider, result, seconds) {
      deliveries.inc({ provider, result })
      durations.observe(seconds)
    },
    unrecorded: (provider) => unrecorded.inc({ provider }),
  }
}
