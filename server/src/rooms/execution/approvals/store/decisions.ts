import type { Selectable } from 'kysely'
import type { DB, Queryable, Tx } from '#platform/database'
import type { Decision } from '../rules/index.ts'
import { readInitiator, readTexts } from './stored-values.ts'

const COLUMNS = [
  'request_id',
  'subject_kind',
  'subject_id',
  'subject_name',
  'decision',
  'comment',
  'fields',
  'commit_sha',
  'decided_at',
  'lapsed',
] as const

/** The decisions of these requests, oldest first. */
export async function listDecisions(db: Queryable, requestIds: readonly string[]): Promise<Decision[]> {
  if (requestIds.length === 0) return []
  const rows = await db
    .selectFrom('approval_decisions')
    .select(COLUMNS)
    .where('request_id', 'in', [...requestIds])
    .orderBy('decided_at')
    .orderBy('subject_id')
    .execute()
  return rows.map(toDecision)
}

export async function insertDecision(tx: Tx, decision: Decision): Promise<void> {
  await tx
    .insertInto('approval_decisions')
    .values({
      request_id: decision.requestId,
      subject_kind: decision.by.kind,
      subject_id: decision.by.id,
      subject_name: decision.by.name,
      decision: decision.decision,
      comment: decision.comment,
      fields: JSON.stringify(decision.fields),
      commit_sha: decision.commitSha,
      decided_at: decision.decidedAt,
    })
    .execute()
}

/** Notes why a decision counts no longer, or that it counts again. */
export async function setLapsed(tx: Tx, { requestId, by, lapsed }: Decision): Promise<void> {
  await tx
    .updateTable('approval_decisions')
    .set({ lapsed })
    .where('request_id', '=', requestId)
    .where('subject_kind', '=', by.kind)
    .where('subject_id', '=', by.id)
    .execute()
}

type Row = Pick<Selectable<DB['approval_decisions']>, (typeof COLUMNS)[number]>

function toDecision(row: Row): Decision {
  return {
    requestId: row.request_id,
    by: readInitiator(row.subject_kind, row.subject_id, row.subject_name),
    decision: row.decision === 'approve' ? 'approve' : 'reject',
    comment: row.comment,
    fields: readTexts(row.fields),
    commitSha: row.commit_sha,
    decidedAt: row.decided_at,
    lapsed: row.lapsed,
  }
}
