import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { listReports } from '../store/run-reports.ts'
import { findCommentOf } from '../store/sticky-comments.ts'

export interface ListedReport {
  readonly kind: 'status' | 'check' | 'comment'
  readonly context: string | null
  readonly state: string | null
  readonly annotations: number
  readonly toldAt: Date | null
  readonly givenUpReason: string | null
  readonly givenUpAt: Date | null
}

export async function listRunReports(means: Means, caller: Caller, id: string): Promise<readonly ListedReport[]> {
  const run = await means.runs.findVisible(caller, id, 'run.read')
  const db = means.database.kysely
  const reports = (await listReports(db, run.id)).map(({ annotated, ...report }) => ({
    ...report,
    annotations: annotated,
  }))
  const comment = await findCommentOf(db, run.id)
  if (!comment) return reports
  const state = comment.toldAt === null ? null : 'written'
  return [...reports, { kind: 'comment', context: null, state, annotations: 0, ...comment }]
}
