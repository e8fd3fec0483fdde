import { APPROVAL_TASK } from '@signalbox/pipeline/graph'
import type { NewApproval } from '#rooms/execution/approvals'
import { findTask } from './find-task.ts'
import type { ApprovalWish } from './round-ledger.ts'

/** What people are asked, bound to the commit and the document of the run; none where the graph has no such step. */
export function approvalRequest({ run, step }: ApprovalWish): NewApproval[] {
  const task = findTask(run.graph, step, APPROVAL_TASK)?.task
  if (task?.kind !== 'approval') return []
  const { teamPath, pipelineIdentifier, pipelineVersionId, scope, initiator, repository, commitSha } = run
  const about = { teamPath, pipelineIdentifier, pipelineVersionId, scope, initiator, repository, commitSha }
  return [{ runId: run.id, step, approval: task.approval, run: about }]
}
