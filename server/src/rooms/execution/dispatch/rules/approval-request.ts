import { APPROVAL_TASK } from '@signalbox/pipeline/graph'
import type { NewApproval } from '#rooms/execution/approvals'
import { findTask } from './find-task.ts'
import type { ApprovalWish } from './round-ledger.ts'

/** The question to people, bound to the commit and the document of the run; none where the graph has no such step. */
export function approvalRequest({ run, step }: ApprovalWish): NewApproval[] {
  const task = findTask(run.graph, step, APPROVAL_TASK)?.task
  switch (task?.kind) {
    case 'approval':
      return [{ runId: run.id, step, approval: task.approval, run: approvedRun(run) }]
    case 'run':
    case 'pipeline':
    case undefined:
      return []
  }
}

function approvedRun(run: ApprovalWish['run']): NewApproval['run'] {
  const { teamPath, pipelineIdentifier, pipelineVersionId, scope, initiator, repository, commitSha } = run
  return { teamPath, pipelineIdentifier, pipelineVersionId, scope, initiator, repository, commitSha }
}
