import { sha256 } from '#platform/crypto'
import type { Queryable, Statement } from '#platform/database'
import type { Kit } from '#platform/room'
import type { PullRequestPlace } from '../rules/index.ts'

/**
 * Tells a provider where a run stands. The payload is `StatusReport`. The name is that of the room that had the job first:
 * such jobs are still queued after an upgrade.
 */
export const REPORT_JOB = 'sources.report-status'

/** Sets marks of a log at files. The payload is `StatusReport`. */
export const ANNOTATE_JOB = 'reports.annotate'

/** Writes the comment of a pull request. The payload is `CommentJob`. */
export const COMMENT_JOB = 'reports.comment'

/** Somebody asked at the provider to run checks again. The payload is `RerunJob`. */
export const RERUN_JOB = 'reports.rerun'

/** Deletes what was told for a source that is gone. */
export const FORGET_JOB = 'reports.forget-source'

export interface StatusReport {
  readonly runId: string
  /** RFC 3339: when there was first something to tell. Decides how long it is tried. */
  readonly since: string
}

export interface CommentJob extends PullRequestPlace {
  /** As of a report. */
  readonly since: string
}

export interface RerunJob {
  readonly deliveryRecordId: string
}

/** The jobs that tell of queued runs, keyed by run: a later job replaces a job that has not begun. */
export function queueingReports(kit: Kit, runIds: readonly string[]): Statement {
  const since = kit.clock.now().toISOString()
  return kit.jobs.adding(
    REPORT_JOB,
    runIds.map((runId): { key: string; payload: StatusReport } => ({ key: runId, payload: { runId, since } })),
  )
}

/** One job for each pull request: a later one replaces a job that has not begun. */
export function queueingComments(kit: Kit, places: readonly PullRequestPlace[]): Statement {
  const since = kit.clock.now().toISOString()
  const byKey = new Map(places.map((place): [string, CommentJob] => [commentKey(place), { ...place, since }]))
  return kit.jobs.adding(
    COMMENT_JOB,
    [...byKey].map(([key, payload]) => ({ key, payload })),
  )
}

/** Under a key of its own, so that it does not put off what something newer queued. */
export async function comeBackToComment(
  kit: Kit,
  db: Queryable,
  job: CommentJob,
  { runAt, why }: { readonly runAt: Date; readonly why: 'again' | 'look' },
): Promise<void> {
  await kit.jobs.add(db, COMMENT_JOB, job, { key: `${commentKey(job)}:${why}`, runAt })
}

export function queueingReruns(kit: Kit, deliveryRecordIds: readonly string[]): Statement {
  return kit.jobs.adding(
    RERUN_JOB,
    deliveryRecordIds.map((deliveryRecordId): { key: string; payload: RerunJob } => ({
      key: `rerun:${deliveryRecordId}`,
      payload: { deliveryRecordId },
    })),
  )
}

/** A repository's name may be longer than a key. */
function commentKey({ sourceId, repository, number }: PullRequestPlace): string {
  const name = sha256(repository.toLowerCase()).toString('hex').slice(0, 32)
  return `comment:${sourceId}:${name}:${number}`
}
