import type { Metrics } from '#platform/metrics'
import type { DeliveryResult } from './rules/index.ts'

/**
 * reported: the provider took it. retried: the report failed and is tried again. given_up: tries failed for an hour.
 * refused: no later try will succeed. outdated: another run tells of the commit by now.
 */
export type ReportOutcome = 'reported' | 'retried' | 'given_up' | 'refused' | 'outdated'

export interface SourceMetrics {
  /** `provider` of the source; `unknown` without a source. */
  delivered(provider: string, result: DeliveryResult, seconds: number): void
  /** Refused without a record, because too many like it came. */
  unrecorded(provider: string): void
  /** One try to tell a provider the status of a commit. */
  reported(provider: string, outcome: ReportOutcome): void
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
  const reports = metrics.counter(
    'signalbox_status_reports_total',
    'Statuses of commits that were to be told to providers, by what came of each try.',
    ['provider', 'outcome'],
  )
  return {
    delivered(provider, result, seconds) {
      deliveries.inc({ provider, result })
      durations.observe(seconds)
    },
    unrecorded: (provider) => unrecorded.inc({ provider }),
    reported: (provider, outcome) => reports.inc({ provider, outcome }),
  }
}
