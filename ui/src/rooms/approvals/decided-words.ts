import type { ApprovalRequest } from './approval-request.ts'

/** Who decided what, in order: `ada approved, bob rejected`. Nobody: the time was over. */
export function decidedBy({ decisions }: Pick<ApprovalRequest, 'decisions'>): string {
  if (decisions.length === 0) return 'nobody'
  return decisions
    .map(({ by, decision }) => `${by.name} ${decision === 'approve' ? 'approved' : 'rejected'}`)
    .join(', ')
}

/** What they said about it. */
export function commentsOf({ decisions }: Pick<ApprovalRequest, 'decisions'>): string {
  return decisions.flatMap(({ comment }) => comment ?? []).join('; ')
}
