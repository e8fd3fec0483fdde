import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { itemsOf, moreOf, useLive } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  Instant,
  PageHeader,
  ResultStrip,
  RowLink,
  StatusBadge,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { WhyRun } from '../../components/why-run.tsx'
import { teamOrAny, teamTopic } from '../../shell/index.ts'
import type { PipelineRow, Results } from './pipeline.ts'
import { useResults } from './use-results.ts'

const page = getRouteApi('/shell/t/$team/pipelines')

/** The pipelines of a team, each with its last results. */
export function PipelinesPage(): ReactNode {
  const { team } = page.useParams()
  const navigate = page.useNavigate()
  const pipelines = useInfiniteQuery(page.useLoaderData())
  const items = pipelines.data && itemsOf(pipelines.data)
  const results = useResults(items?.map(({ id }) => id) ?? [])
  useLive([teamTopic('runs', team)], [runRoutes.listPipelineResults])
  const columns = useMemo(() => columnsOf(results), [results])
  const create = (
    <AllowedButton
      permission="pipeline.write"
      at={teamOrAny(team)}
      onClick={() => void navigate({ to: '/t/$team/pipelines/new', params: { team } })}
    >
      Create a pipeline
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Pipelines"
        sentence="What runs, as a document of steps and tasks. The strip shows the last 30 runs, the newest at the right."
        actions={
          <>
            {create}
            <CopyAs {...listCopy('/v1/pipelines', ['pipeline', 'list'], [['team_path', '--team', teamOrAny(team)]])} />
          </>
        }
      />
      <DataList
        label="Pipelines"
        columns={columns}
        items={items}
        keyOf={({ id }) => id}
        {...moreOf(pipelines)}
        empty={
          <EmptyState
            title="No pipeline yet"
            action={create}
            command="signalbox pipeline apply --team <team> pipeline.yaml"
          >
            A pipeline says what runs: steps of tasks, and the order between them.
          </EmptyState>
        }
      />
    </>
  )
}

function columnsOf(results: ReadonlyMap<string, Results> | undefined): readonly Column<PipelineRow>[] {
  const of = (id: string): Results => results?.get(id) ?? []
  return [
    {
      key: 'result',
      header: 'Last result',
      isPlain: true,
      cell: ({ id, identifier }) => {
        const [last] = of(id)
        return (
          last && (
            <>
              <StatusBadge status={last.status} />
              <WhyRun id={last.run_id} status={last.status} of={identifier} />
            </>
          )
        )
      },
    },
    {
      key: 'name',
      header: 'Pipeline',
      isPlain: true,
      cell: ({ id, identifier }) => (
        <RowLink to="/pipelines/$id" params={{ id }}>
          {identifier}
        </RowLink>
      ),
    },
    { key: 'strip', header: 'Last 30 runs', isPlain: true, cell: ({ id }) => <ResultStrip runs={of(id)} /> },
    {
      key: 'ran',
      header: 'Last run',
      cell: ({ id }) => {
        const [last] = of(id)
        return last && <Instant at={last.queued_at} />
      },
    },
    { key: 'version', header: 'Version', isNumber: true, cell: ({ version }) => version },
    { key: 'updated', header: 'Saved', cell: ({ updated_at }) => <Instant at={updated_at} /> },
  ]
}
