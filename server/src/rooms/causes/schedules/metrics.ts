import type { Kit } from '#platform/room'
import { findNextDue } from './store/due.ts'

/** What is counted of an instant that was decided. */
export interface CountedFire {
  readonly outcome: string
  readonly plannedAt: Date
  readonly firedAt: Date | null
}

export interface ScheduleMetrics {
  /** Of instants whose outcome is stored. */
  decided(fires: readonly CountedFire[]): void
}

/** Where nobody asks. */
export const UNCOUNTED: ScheduleMetrics = { decided: () => undefined }

const LATENESS_SECONDS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600]

/** Series about schedules, for GET /metrics. */
export function createScheduleMetrics({ metrics, database, clock }: Kit): ScheduleMetrics {
  const fires = metrics.counter('signalbox_schedule_fires_total', 'Instants of schedules, by what became of each.', [
    'outcome',
  ])
  const lateness = metrics.histogram(
    'signalbox_schedule_lateness_seconds',
    'How long after its planned instant a schedule started a run.',
    [],
    LATENESS_SECONDS,
  )
  const lag = metrics.gauge(
    'signalbox_schedule_lag_seconds',
    'How long the oldest due schedule has been waiting for a scheduler; 0: none is due.',
    [],
  )
  metrics.onScrape(async () => {
    const next = await findNextDue(database.kysely)
    lag.set(next ? Math.max(0, clock.now().getTime() - next.getTime()) / 1000 : 0)
  })
  return {
    decided(decided) {
      for (const { outcome, plannedAt, firedAt } of decided) {
        fires.inc({ outcome })
        const late = firedAt ? (firedAt.getTime() - plannedAt.getTime()) / 1000 : 0
        if (outcome === 'started') lateness.observe(Math.max(0, late))
      }
    },
  }
}
