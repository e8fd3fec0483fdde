import type { Kit } from '#platform/room'
import { countByStatus } from './store/count-runs.ts'

export interface RunMetrics {
  finished(run: { status: string; cause: string; queuedAt: Date; startedAt: Date | null }, at: Date): void
  started(queuedSeconds: number): void
}

/** In seconds: some runs start at once, some wait for an hour. */
const QUEUE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 120, 600, 3600]
const RUN_BUCKETS = [0.05, 0.25, 1, 5, 15, 60, 300, 900, 3600, 14_400]

export function createRunMetrics(kit: Kit): RunMetrics {
  const total = kit.metrics.counter('signalbox_runs_total', 'Runs that have finished', ['result', 'cause'])
  const active = kit.metrics.gauge('signalbox_runs_active', 'Runs that have not finished', ['state'])
  const queue = kit.metrics.histogram(
    'signalbox_run_queue_duration_seconds',
    'From queued to started',
    [],
    QUEUE_BUCKETS,
  )
  const duration = kit.metrics.histogram(
    'signalbox_run_duration_seconds',
    'From started to finished',
    ['result'],
    RUN_BUCKETS,
  )
  kit.metrics.onScrape(async () => {
    const counts = await countByStatus(kit.database.kysely, ['/'])
    for (const state of ['queued', 'running', 'paused'] as const) active.set({ state }, counts.get(state) ?? 0)
  })
  return {
    finished({ status, cause, startedAt }, at) {
      total.inc({ result: status, cause })
      if (startedAt) duration.observe({ result: status }, (at.getTime() - startedAt.getTime()) / 1000)
    },
    started: (queuedSeconds) => queue.observe(queuedSeconds),
  }
}
