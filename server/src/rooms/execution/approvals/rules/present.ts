import type { ApprovalDecision, ApprovalRequest } from '@signalbox/contracts/runs'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import type { Decision, Request } from './request.ts'

/** A request as the API and run details tell it. */
export function presentRequest(
  request: Request,
  decisions: readonly Decision[],
  obstacle: string | null,
): ApprovalRequest {
  return {
    run_id: request.runId,
    step: request.step,
    pipeline: request.pipelineIdentifier,
    team_path: request.teamPath,
    scope: request.scope,
    repository: request.repository,
    commit_sha: request.commitSha,
    initiator: { ...request.initiator },
    status: request.status,
    approvers: [...request.approvers],
    required: request.required,
    obstacle,
    allow_self: request.allowSelf,
    message: request.message,
    fields: request.fields.map((field) => ({ ...field, options: [...field.options] })),
    requested_at: toWireTime(request.requestedAt),
    deadline_at: toWireTime(request.deadlineAt),
    remind_at: toWireTimeOrNull(request.remindAt),
    decided_at: toWireTimeOrNull(request.decidedAt),
    decisions: decisions.map(presentDecision),
  }
}

export function presentDecision(decision: Decision): ApprovalDecision {
  return {
    decision: decision.decision,
    by: { ...decision.by },
    comment: decision.comment,
    fields: { ...decision.fields },
    commit_sha: decision.commitSha,
    decided_at: toWireTime(decision.decidedAt),
    lapsed: decision.lapsed,
  }
}
