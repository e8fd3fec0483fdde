import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, readPages, useLive } from '../../client/index.ts'
import {
  type Column,
  DataList,
  Duration,
  EmptyState,
  ForeignText,
  Instant,
  PageHeader,
  RowLink,
  StatusBadge,
} from '../../components/index.ts'
import { EVERY_TEAM, teamQuery } from '../../shell/index.ts'
import type { RunRow } from './run.ts'
import { queryOf } from './run-filters.ts'

const page = getRouteApi('/shell/t/$team/runs')

/** The runs of a team, newest first. */
export function RunsPage(): ReactNode {
  const { team } = page.useParams()
  const filters = page.useSearch()
  const runs = useInfiniteQuery(readPages(runRoutes.listRuns, { query: { ...teamQuery(team), ...queryOf(filters) } }))
  useLive([`runs:${team}`], [runRoutes.listRuns])
  return (
    <>
      <PageHeader title="Runs" sentence={team === EVERY_TEAM ? undefined : `Of ${team} and the teams below it.`} />
      <DataList
        label="Runs"
        columns={COLUMNS}
        items={runs.data && itemsOf(runs.data)}
        keyOf={({ run_id }) => run_id}
        error={runs.error}
        onRetry={() => void runs.refetch()}
        hasMore={runs.hasNextPage}
        isReadingMore={runs.isFetchingNextPage}
        onMore={() => void runs.fetchNextPage()}
        empty={
          <EmptyState title="No run yet" command="signalbox pipeline run <team>/<pipeline>">
            A run begins with a push, by a schedule, or when somebody starts a pipeline.
          </EmptyState>
        }
      />
    </>
  )
}

const COLUMNS: readonly Column<RunRow>[] = [
  { key: 'status', header: 'Status', isPlain: true, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'pipeline',
    header: 'Pipeline',
    isPlain: true,
    cell: ({ run_id, pipeline }) => (
      <RowLink to="/runs/$id" params={{ id: run_id }}>
        {pipeline}
      </RowLink>
    ),
  },
  { key: 'branch', header: 'Branch', cell: ({ branch, tag }) => <ForeignText>{branch ?? tag}</ForeignText> },
  { key: 'commit', header: 'Commit', cell: ({ commit_sha }) => commit_sha?.slice(0, 8) },
  { key: 'initiator', header: 'By', cell: ({ initiator }) => <ForeignText>{initiator.name}</ForeignText> },
  { key: 'queued', header: 'Queued', cell: ({ queued_at }) => <Instant at={queued_at} /> },
  {
    key: 'duration',
    header: 'Took',
    isNumber: true,
    cell: ({ started_at, finished_at }) => <Duration from={started_at} to={finished_at} />,
  },
]
