import type { Metrics } from '#platform/metrics'

/** `requested`: the provider took the request to send it again. */
export type RecoveryStep = 'requested' | 'recovered' | 'given_up'

export interface RecoveryMetrics {
  stepped(provider: string, step: RecoveryStep): void
  /** A log was read, or could not be. */
  looked(provider: string, outcome: 'read' | 'failed'): void
}

export function createRecoveryMetrics(metrics: Metrics): RecoveryMetrics {
  const steps = metrics.counter(
    'signalbox_recovered_deliveries_total',
    'Missed deliveries that were requested from providers again, by what became of them.',
    ['provider', 'step'],
  )
  const looks = metrics.counter('signalbox_delivery_log_looks_total', 'Looks into the delivery logs of providers.', [
    'provider',
    'outcome',
  ])
  return {
    stepped: (provider, step) => steps.inc({ provider, step }),
    looked: (provider, outcome) => looks.inc({ provider, outcome }),
  }
}
