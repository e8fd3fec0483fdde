import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLive } from '../../client/index.ts'
import {
  type Column,
  CopyAs,
  countOf,
  DataList,
  EmptyState,
  Instant,
  PageHeader,
  RowLink,
  StatusBadge,
} from '../../components/index.ts'

const page = getRouteApi('/shell/system/dispatcher')

type Load = SuccessOf<typeof dispatchRoutes.getDispatcher>['runners'][number]

/** What runners work on, and how much waits for them. */
export function DispatcherPage(): ReactNode {
  const status = useQuery(page.useLoaderData())
  useLive(['runners'], [dispatchRoutes.getDispatcher])
  const { data } = status
  return (
    <>
      <PageHeader
        title="Dispatcher"
        sentence="What runners work on, and how much waits for them."
        facts={
          data
            ? [
                `${countOf(data.queued, 'run')} queued`,
                `${countOf(data.running, 'run')} running`,
                `${countOf(data.waiting, 'task')} of running runs waiting for a place`,
              ]
            : []
        }
        actions={<CopyAs path="/v1/system/dispatcher" command={['runner', 'load']} />}
      />
      <DataList
        label="Runners"
        columns={COLUMNS}
        items={data?.runners}
        keyOf={({ id }) => id}
        error={status.error}
        onRetry={() => void status.refetch()}
        empty={
          <EmptyState title="No runner yet" command="signalbox runner enrol <team>">
            Runners run the tasks. You see those of the teams in which you may read them.
          </EmptyState>
        }
      />
    </>
  )
}

const COLUMNS: readonly Column<Load>[] = [
  { key: 'state', header: 'State', isPlain: true, cell: ({ state }) => <StatusBadge status={`dispatcher_${state}`} /> },
  {
    key: 'name',
    header: 'Runner',
    isPlain: true,
    cell: ({ id, name }) => (
      <RowLink to="/runners/$id" params={{ id }}>
        {name}
      </RowLink>
    ),
  },
  { key: 'team', header: 'Team', cell: ({ team_path }) => (team_path === '/' ? 'platform' : team_path) },
  { key: 'use', header: 'In use', isNumber: true, cell: ({ in_use, capacity }) => `${in_use} of ${capacity}` },
  { key: 'labels', header: 'Labels', cell: ({ labels }) => labels.join(', ') },
  { key: 'seen', header: 'Seen', cell: ({ last_seen_at }) => <Instant at={last_seen_at} /> },
]
