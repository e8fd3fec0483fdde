import type { Kit } from '#platform/room'
import type { Runners } from '#rooms/catalog/runners'
import type { RunInFlight, Runs, SavedRound } from '#rooms/execution/runs'
import type { InboxItem } from './rules/inbox.ts'
import { conditionOf, type RunnerCondition } from './rules/runner-condition.ts'

/** What is counted of a round. */
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

export function createDispatchMetrics(
  kit: Kit,
  needs: { readonly runners: Runners; readonly runs: Pick<Runs, 'metrics'> },
): DispatchMetrics {
  const attempts = kit.metrics.counter(
    'signalbox_dispatch_attempts_total',
    'Attempts assigned and ended, and results that came too late',
    ['outcome'],
  )
  const lines = kit.metrics.counter('signalbox_log_lines_total', 'Log lines stored', [])
  const bytes = kit.metrics.counter('signalbox_log_bytes_total', 'Bytes of log lines stored, compressed', [])
  const runners = kit.metrics.gauge('signalbox_runners', 'Runners that are enrolled', ['state'])
  kit.metrics.onScrape(async () => {
    const counts = Map.groupBy(await needs.runners.list(kit.database.kysely), (runner) =>
      conditionOf(needs.runners, runner),
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
      for (const run of outcome.begun) needs.runs.metrics.started((at.getTime() - run.queuedAt.getTime()) / 1000)
      for (const run of outcome.saved.finished) needs.runs.metrics.finished(run, at)
    },
    stale: () => attempts.inc({ outcome: 'stale' }),
    lines(count, size) {
      lines.inc(count)
      bytes.inc(size)
    },
  }
}
