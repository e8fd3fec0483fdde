import type { ItemOf } from '@signalbox/contracts/http/requests'
import { reportRoutes } from '@signalbox/contracts/reports/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useLive } from '../../../client/index.ts'
import { type Column, DataList, EmptyState, ForeignText, Instant, StatusBadge, Why } from '../../../components/index.ts'
import type { Run } from '../run.ts'

type Report = ItemOf<typeof reportRoutes.listRunReports>

/** What the Git provider was told of the run, and what was given up. */
export function Told({ run }: { readonly run: Run }): ReactNode {
  const reports = useQuery(read(reportRoutes.listRunReports, { params: { id: run.run_id } }))
  useLive([`run:${run.run_id}`], [runRoutes.getRun, reportRoutes.listRunReports])
  return (
    <DataList
      label="What the provider was told"
      columns={COLUMNS}
      items={reports.data}
      keyOf={({ kind, context }) => `${kind} ${context ?? ''}`}
      error={reports.error}
      onRetry={() => void reports.refetch()}
      empty={
        <EmptyState title="The provider was told nothing">
          A source with report_status or a trigger with report_comment tells what becomes of its runs. This run has
          neither, or comes from no source.
        </EmptyState>
      }
    />
  )
}

const KINDS: Readonly<Record<Report['kind'], string>> = {
  status: 'Status beside the commit',
  check: 'Check beside the commit',
  comment: 'Comment in the pull request',
}

const COLUMNS: readonly Column<Report>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: ({ state, given_up_reason: reason }) => (
      <>
        <StatusBadge status={reason === null ? (state ?? 'report_pending') : 'report_given_up'} />
        <Why of="given up">{reason}</Why>
      </>
    ),
  },
  { key: 'kind', header: 'What', isPlain: true, cell: ({ kind }) => KINDS[kind] },
  { key: 'context', header: 'Name', cell: ({ context }) => <ForeignText>{context}</ForeignText> },
  {
    key: 'annotations',
    header: 'Marks at lines',
    isNumber: true,
    cell: ({ annotations }) => annotations.toLocaleString('en'),
  },
  { key: 'told', header: 'Taken', cell: ({ told_at }) => <Instant at={told_at} /> },
  { key: 'given_up', header: 'Given up', cell: ({ given_up_at }) => <Instant at={given_up_at} /> },
]
