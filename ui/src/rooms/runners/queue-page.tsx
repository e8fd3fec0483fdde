import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, read, useLive } from '../../client/index.ts'
import {
  type Column,
  CopyAs,
  countOf,
  DataList,
  EmptyState,
  ForeignText,
  formatDuration,
  Instant,
  PageHeader,
  PageLink,
  RowLink,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { teamOrAny, teamTopic } from '../../shell/index.ts'

const page = getRouteApi('/shell/t/$team/queue')

/** Who waits for whom: the queued runs with their reason, and the places of the runners. */
export function QueuePage(): ReactNode {
  const { team } = page.useParams()
  const runs = useInfiniteQuery(page.useLoaderData())
  const dispatcher = useQuery({ ...read(dispatchRoutes.getDispatcher), retry: false })
  useLive([teamTopic('runs', team), 'runners'], [runRoutes.listRuns, runRoutes.getRun, dispatchRoutes.getDispatcher])
  const places = dispatcher.data?.runners.filter(({ state }) => state === 'connected') ?? []
  const free = places.reduce((sum, { capacity, in_use }) => sum + Math.max(0, capacity - in_use), 0)
  return (
    <>
      <PageHeader
        title="Queue"
        sentence={
          dispatcher.data &&
          `${countOf(dispatcher.data.queued, 'run')} queued; ${countOf(free, 'free place')} at ${countOf(places.length, 'connected runner')}.`
        }
        actions={
          <CopyAs
            {...listCopy(
              '/v1/runs',
              ['run', 'list'],
              [
                ['teamId', '--team', teamOrAny(team)],
                ['status', '--status', 'queued'],
              ],
            )}
          />
        }
      />
      <DataList
        label="Queued runs"
        columns={COLUMNS}
        items={
          runs.data &&
          itemsOf(runs.data).map(({ run_id, pipeline, queued_at, scope }) => ({ run_id, pipeline, queued_at, scope }))
        }
        keyOf={({ run_id }) => run_id}
        {...moreOf(runs)}
        empty={<EmptyState title="Nothing waits">A run appears here as soon as it has to wait.</EmptyState>}
      />
      {dispatcher.data && (
        <Section title="Runners">
          <DataList
            label="Runners"
            items={dispatcher.data.runners}
            keyOf={({ id }) => id}
            columns={[
              {
                key: 'state',
                header: 'State',
                isPlain: true,
                cell: ({ state }) => <StatusBadge status={`dispatcher_${state}`} />,
              },
              {
                key: 'name',
                header: 'Name',
                isPlain: true,
                cell: ({ id, name }) => (
                  <PageLink to="/runners/$id" params={{ id }}>
                    {name}
                  </PageLink>
                ),
              },
              { key: 'scopes', header: 'Serves', cell: ({ scopes }) => scopes.join(', ') },
              {
                key: 'use',
                header: 'In use',
                isNumber: true,
                cell: ({ in_use, capacity }) => `${in_use} of ${capacity}`,
              },
            ]}
            empty={<EmptyState title="No runner that you may see">Runs wait until one is enrolled.</EmptyState>}
          />
        </Section>
      )}
    </>
  )
}

interface Waiting {
  readonly run_id: string
  readonly pipeline: string
  readonly scope: string
  readonly queued_at: string
}

const COLUMNS: readonly Column<Waiting>[] = [
  {
    key: 'pipeline',
    header: 'Run',
    isPlain: true,
    cell: ({ run_id, pipeline }) => (
      <RowLink to="/runs/$id" params={{ id: run_id }}>
        {pipeline}
      </RowLink>
    ),
  },
  { key: 'scope', header: 'Scope', cell: ({ scope }) => scope },
  { key: 'why', header: 'Waits for', cell: ({ run_id }) => <Reason runId={run_id} /> },
  { key: 'queued', header: 'Queued', cell: ({ queued_at }) => <Instant at={queued_at} /> },
]

/** The list does not say why a run waits: the run itself does. */
function Reason({ runId }: { readonly runId: string }): ReactNode {
  const run = useQuery(read(runRoutes.getRun, { params: { id: runId } }))
  if (!run.data) return null
  const { queue_reason, queue_position, queue_estimate_seconds } = run.data
  return (
    <>
      <ForeignText>{queue_reason}</ForeignText>
      {queue_position !== null && ` Place ${queue_position}.`}
      {queue_estimate_seconds !== null && ` About ${formatDuration(queue_estimate_seconds * 1000)}.`}
    </>
  )
}
