import { toWireTime } from '#platform/time'
import type { Request } from './rules/request.ts'

/** Told in the transaction in which a run reaches an approval step. */
export const APPROVAL_REQUESTED = { kind: 'approval.requested', version: 1 } as const
/** Told once, when the step's `remind_after` has passed and nobody has decided. */
export const APPROVAL_REMINDER = { kind: 'approval.reminder', version: 1 } as const
/** Told in the transaction that decides: enough approvals, one rejection, or the time is over. */
export const APPROVAL_DECIDED = { kind: 'approval.decided', version: 1 } as const

/** Payload of all three. */
export interface ApprovalTold {
  readonly run_id: string
  readonly step: string
  readonly pipeline: string
  readonly team_path: string
  readonly scope: string
  readonly repository: string | null
  readonly commit_sha: string | null
  readonly approvers: readonly string[]
  readonly message: string | null
  readonly status: string
  readonly requested_at: string
  readonly deadline_at: string
}

export function approvalTold(request: Request): ApprovalTold {
  return {
    run_id: request.runId,
    step: request.step,
    pipeline: request.pipelineIdentifier,
    team_path: request.teamPath,
    scope: request.scope,
    repository: request.repository,
    commit_sha: request.commitSha,
    approvers: request.approvers,
    message: request.message,
    status: request.status,
    requested_at: toWireTime(request.requestedAt),
    deadline_at: toWireTime(request.deadlineAt),
  }
}
