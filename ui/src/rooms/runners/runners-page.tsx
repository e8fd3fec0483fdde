import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, read, useLive } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  countOf,
  DataList,
  EmptyState,
  Instant,
  PageHeader,
  RowLink,
  StatusBadge,
  Why,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { placeOf, teamOrAny } from '../../shell/index.ts'
import { EnrolRunner } from './enrol-runner.tsx'
import { type Runner, reasonOf, stateOf } from './runner.ts'
import { WhoCould } from './who-could.tsx'

const page = getRouteApi('/shell/t/$team/runners')

/** The machines that run tasks: what they can, and what they do now. */
export function RunnersPage(): ReactNode {
  const { team } = page.useParams()
  const { enrol: isEnrolling, ...need } = page.useSearch()
  const navigate = page.useNavigate()
  const setEnrolling = (enrol: boolean): void =>
    void navigate({ search: enrol ? { ...need, enrol } : need, replace: true })
  const runners = useInfiniteQuery(page.useLoaderData())
  const dispatcher = useQuery(read(dispatchRoutes.getDispatcher))
  useLive(['runners'], [runnerRoutes.listRunners, dispatchRoutes.getDispatcher])
  const inUse = new Map(dispatcher.data?.runners.map(({ id, in_use }) => [id, in_use]))
  const place = placeOf(team)
  const enrol = (
    <AllowedButton permission="runner.write" at={teamOrAny(team)} onClick={() => setEnrolling(true)}>
      Enrol a runner
    </AllowedButton>
  )
  const columns: readonly Column<Runner>[] = [
    { key: 'state', header: 'State', isPlain: true, cell: (runner) => <RunnerState runner={runner} /> },
    {
      key: 'name',
      header: 'Name',
      isPlain: true,
      cell: ({ id, name }) => (
        <RowLink to="/runners/$id" params={{ id }}>
          {name}
        </RowLink>
      ),
    },
    { key: 'scopes', header: 'Serves', cell: ({ scopes }) => scopes.join(', ') },
    {
      key: 'labels',
      header: 'Labels',
      cell: ({ labels, offered_labels }) => [...new Set([...labels, ...offered_labels])].join(', '),
    },
    { key: 'executors', header: 'Executors', cell: ({ executors }) => executors.join(', ') },
    {
      key: 'use',
      header: 'In use',
      isNumber: true,
      cell: ({ id, capacity }) => `${inUse.get(id) ?? '–'} of ${capacity}`,
    },
    { key: 'seen', header: 'Last seen', cell: ({ last_seen_at }) => <Instant at={last_seen_at} /> },
    { key: 'version', header: 'Version', cell: ({ version }) => version },
  ]
  return (
    <>
      <PageHeader
        title="Runners"
        sentence={
          dispatcher.data &&
          `${countOf(dispatcher.data.running, 'run')} running, ${countOf(dispatcher.data.queued, 'run')} queued, ${countOf(dispatcher.data.waiting, 'task')} of running runs waiting for a place.`
        }
        actions={
          <>
            {enrol}
            <CopyAs {...listCopy('/v1/runners', ['runner', 'list'], [['team_path', '--team', teamOrAny(team)]])} />
          </>
        }
      />
      <DataList
        label="Runners"
        columns={columns}
        items={runners.data && itemsOf(runners.data)}
        keyOf={({ id }) => id}
        {...moreOf(runners)}
        empty={
          <EmptyState title={place === '/' ? 'No runner yet' : `No runner of ${place}`} action={enrol}>
            {place === '/'
              ? 'Runs stay queued until a runner serves their scope.'
              : 'Runners of the teams above and of the platform may serve it as well: ask below.'}
          </EmptyState>
        }
      />
      <WhoCould
        key={JSON.stringify(need)}
        need={need}
        onAsk={(asked) => void navigate({ search: asked, replace: true })}
      />
      {isEnrolling && <EnrolRunner place={place} onClose={() => setEnrolling(false)} />}
    </>
  )
}

/** The state of a runner, and why it is so. */
export function RunnerState({ runner }: { readonly runner: Runner }): ReactNode {
  return (
    <>
      <StatusBadge status={stateOf(runner)} />
      <Why of={runner.name}>{reasonOf(runner)}</Why>
    </>
  )
}
