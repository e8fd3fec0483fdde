import type { ReactNode } from 'react'
import { CopyAs, Duration, ForeignText, Instant, PageHeader, PageLink, StatusBadge } from '../../components/index.ts'
import { Cause } from './cause.tsx'
import type { Run } from './run.ts'

/** The head of a run's page: how it stands, the server's sentence, and where it came from. */
export function RunHead({ run, actions }: { readonly run: Run; readonly actions?: ReactNode }): ReactNode {
  return (
    <PageHeader
      title={run.pipeline_name}
      team={run.team_path}
      breadcrumb={[
        <PageLink key="runs" to="/t/$team/runs" params={{ team: run.team_path }}>
          Runs of {run.team_path}
        </PageLink>,
      ]}
      badge={<StatusBadge status={run.status} />}
      sentence={<Sentence run={run} />}
      facts={factsOf(run)}
      actions={
        <>
          {actions}
          <CopyAs path={`/v1/runs/${run.run_id}`} command={['run', 'show', run.run_id]} />
        </>
      }
    />
  )
}

/** The reason of the state, and what else the server says of the run. */
function Sentence({ run }: { readonly run: Run }): ReactNode {
  const isLeaving = run.cancel_requested_at !== null && run.finished_at === null
  const sentences = [
    run.reason ?? run.queue_reason,
    isLeaving ? 'It is being canceled: its runners have not confirmed it yet.' : null,
    run.untrusted ? 'Its code comes from a fork or an unknown place: it gets no secrets.' : null,
    run.note,
  ].filter((each) => each !== null)
  return sentences.length === 0 ? null : <ForeignText>{sentences.join(' ')}</ForeignText>
}

function factsOf(run: Run): readonly ReactNode[] {
  return [
    <Cause key="cause" run={run} />,
    run.repository !== null && <ForeignText key="repository">{run.repository}</ForeignText>,
    (run.branch ?? run.tag) !== null && <ForeignText key="branch">{run.branch ?? run.tag}</ForeignText>,
    run.commit_sha !== null && (
      <code key="commit" title={run.commit_sha}>
        {run.commit_sha.slice(0, 12)}
      </code>
    ),
    `scope ${run.scope}`,
    <PageLink key="pipeline" to="/pipelines/$id" params={{ id: run.pipeline_id }}>
      pipeline, version {run.pipeline_version}
    </PageLink>,
    run.priority !== 0 && `priority ${run.priority}`,
    run.concurrency !== null && `group ${run.concurrency.group}`,
    <span key="queued">
      queued <Instant at={run.queued_at} />
    </span>,
    run.started_at !== null && (
      <span key="took">
        {run.finished_at === null ? 'for' : 'took'} <Duration from={run.started_at} to={run.finished_at} />
      </span>
    ),
    run.finished_at === null && run.deadline_at !== null && (
      <span key="deadline">
        ends at the latest <Instant at={run.deadline_at} />
      </span>
    ),
  ].filter((fact) => fact !== false)
}
