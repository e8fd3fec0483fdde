import { Text } from '@mantine/core'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { resultRoutes, runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read } from '../../../client/index.ts'
import {
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  formatDuration,
  Instant,
  PageHeader,
  PageLink,
  ProblemNotice,
  Section,
  StatusBadge,
} from '../../../components/index.ts'
import { ChooseOther } from './choose-other.tsx'
import { Diff } from './diff.tsx'

const page = getRouteApi('/shell/runs/$id/compare')

export type Comparison = SuccessOf<typeof resultRoutes.compareRuns>
type Side = Comparison['left']

/** How two runs differ; without the other one, a choice of it. */
export function ComparePage(): ReactNode {
  const { id } = page.useParams()
  const { other } = page.useSearch()
  const run = useQuery(read(runRoutes.getRun, { params: { id } }))
  const breadcrumb = [
    <PageLink key="run" to="/runs/$id" params={{ id }}>
      {run.data ? `Run of ${run.data.pipeline}` : 'Run'}
    </PageLink>,
  ]
  return (
    <>
      <PageHeader
        title="Compare runs"
        breadcrumb={breadcrumb}
        actions={
          other !== undefined && (
            <CopyAs path={`/v1/runs/${id}/compare/${other}`} command={['run', 'compare', id, other]} />
          )
        }
      />
      <ProblemNotice error={run.error} onRetry={() => void run.refetch()} />
      {other === undefined ? run.data && <ChooseOther run={run.data} /> : <Compared id={id} other={other} />}
    </>
  )
}

function Compared({ id, other }: { readonly id: string; readonly other: string }): ReactNode {
  const compared = useQuery(read(resultRoutes.compareRuns, { params: { id, other } }))
  if (!compared.data) return <ProblemNotice error={compared.error} onRetry={() => void compared.refetch()} />
  const { left, right, document, variables, tasks } = compared.data
  return (
    <>
      <Section
        title="Outcome"
        actions={
          <PageLink to="/runs/$id/compare" params={{ id }} search={{}}>
            Compare with another
          </PageLink>
        }
      >
        <DataList
          label="Outcome"
          items={OUTCOME}
          keyOf={([name]) => name}
          columns={[
            { key: 'name', header: 'What', isPlain: true, cell: ([name]) => name },
            { key: 'left', header: 'This run', cell: ([, show]) => show(left) },
            { key: 'right', header: 'The other', cell: ([, show]) => show(right) },
          ]}
          empty={null}
        />
      </Section>
      <Section title="Document">
        {document.diff === null ? (
          <Text size="sm">Both ran the same document.</Text>
        ) : (
          <Diff diff={document.diff} label="From this run's document to the other's" />
        )}
      </Section>
      <Section title="Variables that differ">
        <DataList
          label="Variables that differ"
          items={variables}
          keyOf={({ name }) => name}
          columns={[
            { key: 'name', header: 'Name', isPlain: true, cell: ({ name }) => name },
            { key: 'left', header: 'This run', cell: (each) => <ForeignText>{each.left ?? 'none'}</ForeignText> },
            { key: 'right', header: 'The other', cell: (each) => <ForeignText>{each.right ?? 'none'}</ForeignText> },
          ]}
          empty={<Text size="sm">All variables that may be seen are the same.</Text>}
        />
      </Section>
      <Section title="Tasks">
        <DataList
          label="Tasks of both runs"
          items={tasks}
          keyOf={({ step, task }) => `${step}/${task}`}
          columns={[
            { key: 'task', header: 'Task', isPlain: true, cell: ({ step, task }) => `${step} / ${task}` },
            { key: 'left', header: 'This run', cell: (each) => <TaskSide side={each.left} /> },
            { key: 'right', header: 'The other', cell: (each) => <TaskSide side={each.right} /> },
          ]}
          empty={<EmptyState title="Neither run has begun">Tasks are made when a run begins.</EmptyState>}
        />
      </Section>
    </>
  )
}

const OUTCOME: readonly (readonly [name: string, show: (side: Side) => ReactNode])[] = [
  ['Run', (side) => <SideLink side={side} />],
  ['Status', ({ status }) => <StatusBadge status={status} />],
  ['Why', ({ reason }) => <ForeignText>{reason}</ForeignText>],
  ['Version', ({ pipeline, pipeline_version: version }) => `${pipeline}, version ${version}`],
  ['Cause', ({ cause }) => cause],
  ['Scope', ({ scope }) => scope],
  ['Branch', ({ branch }) => <ForeignText>{branch}</ForeignText>],
  ['Commit', ({ commit_sha: commit }) => commit && <code>{commit.slice(0, 12)}</code>],
  ['Waited', ({ waited_ms: ms }) => (ms === null ? '–' : formatDuration(ms))],
  ['Took', ({ took_ms: ms }) => (ms === null ? '–' : formatDuration(ms))],
]

function SideLink({ side }: { readonly side: Side }): ReactNode {
  return (
    <PageLink to="/runs/$id" params={{ id: side.run_id }}>
      queued <Instant at={side.queued_at} />
    </PageLink>
  )
}

function TaskSide({ side }: { readonly side: Comparison['tasks'][number]['left'] }): ReactNode {
  if (!side?.status) return <Text size="sm">not there</Text>
  const parts = [
    side.took_ms === null ? undefined : formatDuration(side.took_ms),
    side.exit_code === null || side.exit_code === 0 ? undefined : `exit code ${side.exit_code}`,
    side.attempts > 1 ? `${side.attempts} attempts` : undefined,
    side.runner === null ? undefined : `on ${side.runner}`,
  ]
  return (
    <>
      <StatusBadge status={side.status} />{' '}
      <Text component="span" size="sm" c="dimmed">
        {parts.filter((part) => part !== undefined).join(', ')}
      </Text>
    </>
  )
}
