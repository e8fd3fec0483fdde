import type { ApprovalRequest } from '@signalbox/contracts/runs'
import { toWireTime } from '#platform/time'
import type { DecidedFork, HeldRun } from '#rooms/execution/runs'

export const FORK = 'fork'

/** A run of a pull request from a fork that waits for a member, as the API tells of a request. */
export function presentHeld(run: HeldRun): ApprovalRequest {
  return {
    run_id: run.id,
    step: FORK,
    pipeline: run.pipeline,
    team_path: run.teamPath,
    scope: run.scope,
    repository: run.repository,
    commit_sha: run.commitSha,
    initiator: { kind: run.initiatorKind, id: run.initiatorId, name: run.initiatorName },
    status: 'waiting',
    approvers: ['role:operator'],
    required: 1,
    obstacle: null,
    refusal: null,
    allow_self: true,
    message: `Pull request ${run.pullRequest ?? ''} comes from a fork or an unknown place: look at its commit first.`,
    fields: [],
    requested_at: toWireTime(run.queuedAt),
    deadline_at: null,
    remind_at: null,
    decided_at: null,
    decisions: [],
  }
}

/** As `presentHeld`, after a member has decided. */
export function presentDecidedFork(run: DecidedFork): ApprovalRequest {
  const decidedAt = toWireTime(run.decidedAt)
  const decision = run.decision === 'approve' ? 'approve' : 'reject'
  return {
    ...presentHeld(run),
    status: decision === 'approve' ? 'approved' : 'rejected',
    decided_at: decidedAt,
    decisions: [
      {
        decision,
        by: { kind: run.deciderKind, id: run.deciderId, name: run.deciderName },
        comment: run.comment,
        fields: {},
        commit_sha: run.approvedCommit,
        decided_at: decidedAt,
        lapsed: null,
      },
    ],
  }
}
