import type { Metrics } from '#platform/metrics'

/**
 * reported: the provider took it. retried: the report failed and is tried again. given_up: tries failed for an hour.
 * refused: no later try will succeed. outdated: another run tells of the commit by now.
 */
export type ReportOutcome = 'reported' | 'retried' | 'given_up' | 'refused' | 'outdated'

export interface ReportMetrics {
  /** One try to tell a provider the status of a commit, by a status or a check. */
  reported(provider: string, outcome: ReportOutcome): void
  /** One try to write the comment of a pull request. */
  commented(provider: string, outcome: ReportOutcome): void
}

export function createReportMetrics(metrics: Metrics): ReportMetrics {
  const reports = metrics.counter(
    'signalbox_status_reports_total',
    'Statuses and checks of commits that were to be told to providers, by what came of each try.',
    ['provider', 'outcome'],
  )
  const comments = metrics.counter(
    'signalbox_pull_request_comments_total',
    'Comments of pull requests that were to be written, by what came of each try.',
    ['provider', 'outcome'],
  )
  return {
    reported: (provider, outcome) => reports.inc({ provider, outcome }),
    commented: (provider, outcome) => comments.inc({ provider, outcome }),
  }
}
