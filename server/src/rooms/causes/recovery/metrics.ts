import type { Metrics } from '#platform/metrics'

/** `requested`: the provider took the request to send it again. `made`: this service made the event of it. */
export type RecoveryStep = 'requested' | 'recovered' | 'given_up' | 'made'

export interface RecoveryMetrics {
  stepped(provider: string, step: RecoveryStep): void
  /** A log was read, or could not be. */
  looked(provider: string, outcome: 'read' | 'failed'): void
  /** The heads of a repository were read, or could not be. */
  compared(provider: string, outcome: 'read' | 'failed'): void
}

export function createRecoveryMetrics(metrics: Metrics): RecoveryMetrics {
  const steps = metrics.counter(
    'signalbox_recovered_deliveries_total',
    'Missed deliveries by what became of them: requested again, recovered, given up, or made as events.',
    ['provider', 'step'],
  )
  const looks = metrics.counter('signalbox_delivery_log_looks_total', 'Looks into the delivery logs of providers.', [
    'provider',
    'outcome',
  ])
  const comparisons = metrics.counter(
    'signalbox_head_looks_total',
    'Looks at the heads of repositories whose provider shows no log of deliveries.',
    ['provider', 'outcome'],
  )
  return {
    compared: (provider, outcome) => comparisons.inc({ provider, outcome }),
    stepped: (provider, step) => steps.inc({ provider, step }),
    looked: (provider, outcome) => looks.inc({ provider, outcome }),
  }
}
