import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read, useLive } from '../../client/index.ts'
import {
  CopyAs,
  DataList,
  Duration,
  EmptyState,
  ForeignText,
  Instant,
  PageHeader,
  PageLink,
  ProblemNotice,
  Section,
  StatusBadge,
  Why,
} from '../../components/index.ts'
import { LogView } from '../logs/index.ts'
import type { Run, RunTask } from './run.ts'

const page = getRouteApi('/shell/runs/$id')

/** A run: why it is as it is, its tasks, and its log. */
export function RunPage(): ReactNode {
  const { id } = page.useParams()
  const run = useQuery(read(runRoutes.getRun, { params: { id } }))
  useLive([`run:${id}`], [runRoutes.getRun])
  if (run.data === undefined) {
    return (
      <>
        <PageHeader title="Run" />
        <ProblemNotice error={run.error} onRetry={() => void run.refetch()} />
      </>
    )
  }
  return <LoadedRun run={run.data} />
}

function LoadedRun({ run }: { readonly run: Run }): ReactNode {
  return (
    <>
      <PageHeader
        title={run.pipeline_name}
        breadcrumb={[
          <PageLink key="runs" to="/t/$team/runs" params={{ team: run.team_path }}>
            Runs of {run.team_path}
          </PageLink>,
        ]}
        badge={<StatusBadge status={run.status} />}
        sentence={run.reason ?? run.queue_reason}
        facts={[
          `Version ${run.pipeline_version}`,
          run.branch !== null && <ForeignText key="branch">{run.branch}</ForeignText>,
          run.commit_sha?.slice(0, 12),
          <>
            by <ForeignText>{run.initiator.name}</ForeignText>
          </>,
          <Instant key="queued" at={run.queued_at} />,
          <Duration key="took" from={run.started_at} to={run.finished_at} />,
        ].filter((fact) => fact !== false && fact !== undefined)}
        actions={<CopyAs path={`/v1/runs/${run.run_id}`} command={['run', 'show', run.run_id]} />}
      />
      <Section title="Tasks">
        <DataList
          label="Tasks"
          items={run.steps.flatMap((step) => step.tasks.map((task) => ({ step: step.name, task })))}
          keyOf={({ step, task }) => `${step}/${task.name}`}
          columns={[
            { key: 'status', header: 'Status', isPlain: true, cell: ({ task }) => <TaskStatus task={task} /> },
            { key: 'step', header: 'Step', cell: ({ step }) => step },
            { key: 'task', header: 'Task', cell: ({ task }) => task.name },
            {
              key: 'took',
              header: 'Took',
              isNumber: true,
              cell: ({ task }) => <Duration from={task.started_at} to={task.finished_at} />,
            },
          ]}
          empty={<EmptyState title="No task yet">The tasks are made when the run begins.</EmptyState>}
        />
      </Section>
      <Section title="Log">
        <LogView key={run.run_id} runId={run.run_id} isOver={run.finished_at !== null} />
      </Section>
    </>
  )
}

function TaskStatus({ task }: { readonly task: RunTask }): ReactNode {
  return (
    <>
      <StatusBadge status={task.status} />
      <Why of={task.name}>{task.reason ?? task.waiting_reason}</Why>
    </>
  )
}
