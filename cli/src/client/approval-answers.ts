import type { ApprovalAnswer } from '@signalbox/contracts/approvals'
import type { RunDetail, ApprovalRequest as WireApprovalRequest } from '@signalbox/contracts/runs'
import { flag, list, number, object, orNull, partOf, text } from './shape.ts'

export const runApproval = object({
  name: text,
  decision: text,
  by: object({ name: text }),
  comment: orNull(text),
  decided_at: text,
})
export type RunApproval = ReturnType<typeof runApproval>

export const approvalRequest = partOf<WireApprovalRequest>()(
  object({
    run_id: text,
    step: text,
    pipeline: text,
    scope: text,
    status: text,
    commit_sha: orNull(text),
    initiator: object({ name: text }),
    approvers: list(text),
    required: number,
    obstacle: orNull(text),
    message: orNull(text),
    fields: list(object({ name: text, type: text, required: flag, options: list(text), default: orNull(text) })),
    requested_at: text,
    deadline_at: orNull(text),
    decisions: list(object({ decision: text, by: object({ name: text }), lapsed: orNull(text) })),
  }),
)
export type ApprovalRequest = ReturnType<typeof approvalRequest>

/** How many have approved whose approval still counts. */
export function countGiven({ decisions }: Pick<ApprovalRequest, 'decisions'>): number {
  return decisions.filter((one) => one.decision === 'approve' && one.lapsed === null).length
}

export const approvalAnswer = partOf<ApprovalAnswer>()(
  object({
    run_id: text,
    status: text,
    reason: orNull(text),
    approval: runApproval,
    request: orNull(approvalRequest),
  }),
)

/** What of a run tells which approval it waits for. */
export const awaiting = partOf<RunDetail>()(
  object({ status: text, hold: orNull(object({ kind: text })), approval_requests: orNull(list(approvalRequest)) }),
)
export type Awaiting = ReturnType<typeof awaiting>
