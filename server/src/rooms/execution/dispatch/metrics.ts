import type { RunInFlight, SavedRound } from '#rooms/execution/runs'
import type { Means } from './means.ts'
import type { InboxItem } from './rules/inbox.ts'
import { conditionOf, type RunnerCondition } from './rules/runner-condition.ts'

/** The parts of a round that are counted. */
interface CountedRound {
  readonly assigned: readonly unknown[]
  readonly refused: number
  readonly begun: readonly RunInFlight[]
  readonly saved: SavedRound
}

export interface DispatchMetrics {
  round(items: readonly InboxItem[], outcome: CountedRound, at: Date): void
  stale(): void
  lines(lines: number, bytes: number): void
}

const CONDITIONS: readonly RunnerCondition[] = ['connected', 'draining', 'disabled', 'disconnected']

export function createDispatchMetrics(means: Means): DispatchMetrics {
  const attempts = means.metrics.counter(
    'signalbox_dispatch_attempts_total',
    'Attempts assigned and ended, and results that came too late',
    ['outcome'],
  )
  const lines = means.metrics.counter('signalbox_log_lines_total', 'Log lines stored', [])
  const bytes = means.metrics.counter('signalbox_log_bytes_total', 'Bytes of log lines stored, compressed', [])
  const runners = means.metrics.gauge('signalbox_runners', 'Runners that are enrolled', ['state'])
  means.metrics.onScrape(async () => {
    const counts = Map.groupBy(await means.runners.list(means.database.kysely), (runner) =>
      conditionOf(runner, means.runners.isReachable(runner)),
    )
    for (const state of CONDITIONS) runners.set({ state }, counts.get(state)?.length ?? 0)
  })
  return {
    round(items, outcome, at) {
      if (outcome.assigned.length > 0) attempts.inc({ outcome: 'assigned' }, outcome.assigned.length)
      if (outcome.refused > 0) attempts.inc({ outcome: 'refused' }, outcome.refused)
      for (const item of items) {
        if (item.kind === 'finished') attempts.inc({ outcome: item.finished.result })
        else if (item.kind === 'lost') attempts.inc({ outcome: 'lost' })
        else if (item.kind === 'stranded') attempts.inc({ outcome: 'failure' })
      }
      for (const run of outcome.begun) means.runs.metrics.started((at.getTime() - run.queuedAt.getTime()) / 1000)
      for (const run of outcome.saved.finished) means.runs.metrics.finished(run, at)
    },
    stale: () => attempts.inc({ outcome: 'stale' }),
    lines(count, size) {
      lines.inc(count)
      bytes.inc(size)
    },
  }
}
