import type { JobDefinition } from '#platform/jobs'
import { annotateCheck } from './actions/annotate-check.ts'
import { hearRerun } from './actions/hear-rerun.ts'
import { reportStatus } from './actions/report-status.ts'
import { refreshCommentNow } from './actions/write-comment.ts'
import type { Means } from './means.ts'
import { dropAsked } from './store/asked-reruns.ts'
import { dropStatuses, dropStatusesOf } from './store/commit-statuses.ts'
import {
  ANNOTATE_JOB,
  COMMENT_JOB,
  type CommentJob,
  FORGET_JOB,
  REPORT_JOB,
  RERUN_JOB,
  type StatusReport,
} from './store/report-jobs.ts'
import { dropReports, dropReportsOf } from './store/run-reports.ts'
import { dropCommented, dropComments, dropCommentsOf } from './store/sticky-comments.ts'

const DAY_MS = 86_400_000
const BATCH = 1000

/** The number of providers called at a time: a slow provider does not delay the others, and none is flooded. */
const REPORTS_AT_A_TIME = 4
const COMMENTS_AT_A_TIME = 2

export function reportJobs(means: Means): JobDefinition[] {
  const db = means.database.kysely
  return [
    {
      name: REPORT_JOB,
      apart: REPORTS_AT_A_TIME,
      async run(payload, signal) {
        const report = readReport(payload)
        if (report) await reportStatus(means, report, signal)
      },
    },
    {
      name: ANNOTATE_JOB,
      apart: 1,
      async run(payload, signal) {
        const report = readReport(payload)
        if (report) await annotateCheck(means, report, signal)
      },
    },
    {
      name: COMMENT_JOB,
      apart: COMMENTS_AT_A_TIME,
      async run(payload, signal) {
        const job = readCommentJob(payload)
        if (job) await refreshCommentNow(means, job, signal)
      },
    },
    {
      name: RERUN_JOB,
      apart: 1,
      async run(payload, signal) {
        const deliveryRecordId = readText(payload, 'deliveryRecordId')
        if (deliveryRecordId !== undefined) await hearRerun(means, { deliveryRecordId }, signal)
      },
    },
    {
      name: 'reports.drop-old',
      cron: '27 * * * *',
      async run(_payload, signal) {
        const before = new Date(means.clock.now().getTime() - means.config.deliveryRecordRetentionDays * DAY_MS)
        for (const drop of [dropStatuses, dropReports, dropCommented, dropComments]) {
          while (!signal.aborted && (await drop(db, before, BATCH)) === BATCH);
        }
        if (!signal.aborted) await dropAsked(db, before)
      },
    },
    {
      name: FORGET_JOB,
      async run(payload, signal) {
        const sourceId = readText(payload, 'sourceId')
        if (sourceId === undefined) return
        for (const drop of [dropStatusesOf, dropReportsOf]) {
          while (!signal.aborted && (await drop(db, sourceId, BATCH)) > 0);
        }
        if (signal.aborted) throw new Error('the process ends; what is left of the source goes later')
        await dropCommentsOf(db, sourceId)
      },
    },
  ]
}

function readReport(payload: unknown): StatusReport | undefined {
  const [runId, since] = [readText(payload, 'runId'), readText(payload, 'since')]
  return runId === undefined || since === undefined ? undefined : { runId, since }
}

function readCommentJob(payload: unknown): CommentJob | undefined {
  const [sourceId, repository] = [readText(payload, 'sourceId'), readText(payload, 'repository')]
  const [since, number] = [readText(payload, 'since'), readValue(payload, 'number')]
  if (sourceId === undefined || repository === undefined || since === undefined) return undefined
  return typeof number === 'number' ? { sourceId, repository, number, since } : undefined
}

function readText(payload: unknown, key: string): string | undefined {
  const value = readValue(payload, key)
  return typeof value === 'string' ? value : undefined
}

function readValue(payload: unknown, key: string): unknown {
  if (typeof payload !== 'object' || payload === null) return undefined
  return Object.entries(payload).find(([name]) => name === key)?.[1]
}
