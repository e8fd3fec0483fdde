import type { Statement } from '#platform/database'
import type { Kit } from '#platform/room'

/** Tells a provider where a run stands. The payload is `StatusReport`. */
export const REPORT_JOB = 'sources.report-status'

export interface StatusReport {
  readonly runId: string
  /** RFC 3339: when there was first something to tell. Decides how long it is tried. */
  readonly since: string
}

/** The jobs that tell of queued runs, keyed by run: a later job replaces a job that has not begun. */
export function reporting(kit: Kit, runIds: readonly string[]): Statement {
  const since = kit.clock.now().toISOString()
  return kit.jobs.adding(
    REPORT_JOB,
    runIds.map((runId): { key: string; payload: StatusReport } => ({ key: runId, payload: { runId, since } })),
  )
}
