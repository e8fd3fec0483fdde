import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, useLive } from '../../client/index.ts'
import {
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  PageHeader,
  RowLink,
  StatusBadge,
  Why,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { teamOrAny } from '../../shell/index.ts'
import type { ApprovalRequest } from './approval-request.ts'

const page = getRouteApi('/shell/t/$team/approvals')

/** What waits for the decision of whoever is signed in. */
export function ApprovalsPage(): ReactNode {
  const { team } = page.useParams()
  const requests = useInfiniteQuery(page.useLoaderData())
  useLive(['approvals'], [approvalRoutes.listApprovals])
  return (
    <>
      <PageHeader
        title="Approvals"
        sentence="What waits for you. A decision is bound to the commit that you looked at, and stays on the run."
        actions={
          <CopyAs {...listCopy('/v1/approvals', ['approval', 'list'], [['team_path', '--team', teamOrAny(team)]])} />
        }
      />
      <DataList
        label="Approvals"
        columns={COLUMNS}
        items={requests.data && itemsOf(requests.data)}
        keyOf={({ run_id, step }) => `${run_id} ${step}`}
        {...moreOf(requests)}
        empty={
          <EmptyState title="Nothing waits for you">
            A step of a pipeline asks for approvals; a run of a fork waits for a member. Both appear here by themselves.
          </EmptyState>
        }
      />
    </>
  )
}

const COLUMNS: readonly Column<ApprovalRequest>[] = [
  {
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
  },
  {
    key: 'step',
    header: 'Step',
    isPlain: true,
    cell: ({ run_id, step, pipeline }) => (
      <RowLink to="/runs/$id" params={{ id: run_id }} search={{ tab: 'approvals' }}>
        <ForeignText>{`${pipeline}: ${step}`}</ForeignText>
      </RowLink>
    ),
  },
  { key: 'message', header: 'Asks', cell: ({ message }) => <ForeignText>{message}</ForeignText> },
  { key: 'scope', header: 'Scope', cell: ({ scope }) => scope },
  { key: 'commit', header: 'Commit', isShort: true, cell: ({ commit_sha }) => commit_sha?.slice(0, 8) },
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
