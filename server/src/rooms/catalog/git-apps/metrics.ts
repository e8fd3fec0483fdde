import type { Metrics } from '#platform/metrics'

/**
 * issued: the provider gave a token. shared: a token in memory served. failed: none was given. dropped: a token was
 * refused when it was used.
 */
export type TokenOutcome = 'issued' | 'shared' | 'failed' | 'dropped'

export interface GitAppMetrics {
  token(provider: string, outcome: TokenOutcome): void
  /** A way back from the provider. */
  returned(provider: string, flow: 'register' | 'install', outcome: string): void
}

export function createGitAppMetrics(metrics: Metrics): GitAppMetrics {
  const tokens = metrics.counter(
    'signalbox_installation_tokens_total',
    'Tokens of installations that somebody wanted, by what came of it.',
    ['provider', 'outcome'],
  )
  const returns = metrics.counter(
    'signalbox_git_app_callbacks_total',
    'Browsers that came back from a provider after a registration or an installation, by what came of it.',
    ['provider', 'flow', 'outcome'],
  )
  return {
    token: (provider, outcome) => tokens.inc({ provider, outcome }),
    returned: (provider, flow, outcome) => returns.inc({ provider, flow, outcome }),
  }
}
