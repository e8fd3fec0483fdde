import { type Column, ForeignText, Instant, RowLink, StatusBadge, Why } from '../../components/index.ts'
import type { ApprovalRequest } from './approval-request.ts'
import { commentsOf, decidedBy } from './decided-words.ts'

const STEP: Column<ApprovalRequest> = {
  key: 'step',
  header: 'Step',
  isPlain: true,
  cell: ({ run_id, step, pipeline }) => (
    <RowLink to="/runs/$id" params={{ id: run_id }} search={{ tab: 'approvals' }}>
      <ForeignText>{`${pipeline}: ${step}`}</ForeignText>
    </RowLink>
  ),
}

const SCOPE: Column<ApprovalRequest> = { key: 'scope', header: 'Scope', cell: ({ scope }) => scope }

const COMMIT: Column<ApprovalRequest> = {
  key: 'commit',
  header: 'Commit',
  isShort: true,
  cell: ({ commit_sha }) => commit_sha?.slice(0, 8),
}

const STATUS: Column<ApprovalRequest> = {
  key: 'status',
  header: 'Status',
  isPlain: true,
  isShort: true,
  cell: ({ status, obstacle, step }) => (
    <>
      <StatusBadge status={status} />
      <Why of={step}>{obstacle}</Why>
    </>
  ),
}

/** Of what waits for a decision. */
export const WAITING: readonly Column<ApprovalRequest>[] = [
  STATUS,
  STEP,
  { key: 'message', header: 'Asks', cell: ({ message }) => <ForeignText>{message}</ForeignText> },
  SCOPE,
  COMMIT,
  {
    key: 'votes',
    header: 'Votes',
    isNumber: true,
    cell: ({ decisions, required }) =>
      `${decisions.filter(({ decision, lapsed }) => decision === 'approve' && lapsed === null).length} of ${required}`,
  },
  {
    key: 'by',
    header: 'Started by',
    isShort: true,
    cell: ({ initiator }) => <ForeignText>{initiator.name}</ForeignText>,
  },
  { key: 'asked', header: 'Asked', cell: ({ requested_at }) => <Instant at={requested_at} /> },
  { key: 'deadline', header: 'Deadline', cell: ({ deadline_at }) => <Instant at={deadline_at} /> },
]

/** Of what was decided. */
export const DECIDED: readonly Column<ApprovalRequest>[] = [
  STATUS,
  STEP,
  { key: 'by', header: 'Decided by', cell: (request) => <ForeignText>{decidedBy(request)}</ForeignText> },
  { key: 'comment', header: 'Comment', cell: (request) => <ForeignText>{commentsOf(request)}</ForeignText> },
  SCOPE,
  COMMIT,
  { key: 'decided', header: 'Decided', cell: ({ decided_at }) => <Instant at={decided_at} /> },
]
