import type { ItemOf } from '@signalbox/contracts/http/requests'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  DataList,
  Duration,
  EmptyState,
  ForeignText,
  Instant,
  PageLink,
  ResultStrip,
  RowLink,
  Section,
  StatusBadge,
  Why,
} from '../../components/index.ts'
import { WhyRun } from '../../components/why-run.tsx'
import type { Pipeline, Results } from './pipeline.ts'

interface PipelineRunsProps {
  readonly pipeline: Pipeline
  readonly results: Results
  readonly onRun: () => void
}

/** The runs of one pipeline, newest first. */
export function PipelineRuns({ pipeline, results, onRun }: PipelineRunsProps): ReactNode {
  const { identifier, team_path: team } = pipeline
  const runs = useInfiniteQuery(readPages(runRoutes.listRuns, { query: { pipeline: identifier, limit: 20 } }))
  return (
    <Section
      title="Recent runs"
      actions={
        <>
          <ResultStrip runs={results} />
          <PageLink to="/t/$team/runs" params={{ team }} search={{ pipeline: identifier }}>
            All runs of it
          </PageLink>
        </>
      }
    >
      <DataList
        label="Runs"
        columns={COLUMNS}
        items={runs.data && itemsOf(runs.data)}
        keyOf={({ run_id }) => run_id}
        {...moreOf(runs)}
        empty={
          <EmptyState
            title="It has not run yet"
            command={`signalbox pipeline run ${identifier}`}
            action={
              <AllowedButton permission="run.start" at={team} onClick={onRun}>
                Run it
              </AllowedButton>
            }
          >
            Start it now, or let a trigger or a schedule do so.
          </EmptyState>
        }
      />
    </Section>
  )
}

const COLUMNS: readonly Column<ItemOf<typeof runRoutes.listRuns>>[] = [
  {
    key: 'status',
    header: 'Status',
    isPlain: true,
    cell: ({ run_id, status, reason, queued_at }) => (
      <>
        <StatusBadge status={status} />
        {reason === null ? (
          <WhyRun id={run_id} status={status} of={`the run of ${queued_at}`} />
        ) : (
          <Why of={`the run of ${queued_at}`}>{reason}</Why>
        )}
      </>
    ),
  },
  {
    key: 'run',
    header: 'Run',
    isPlain: true,
    cell: ({ run_id, queued_at }) => (
      <RowLink to="/runs/$id" params={{ id: run_id }}>
        <Instant at={queued_at} />
      </RowLink>
    ),
  },
  { key: 'version', header: 'Version', isNumber: true, cell: ({ pipeline_version }) => pipeline_version },
  { key: 'branch', header: 'Branch', cell: ({ branch, tag }) => <ForeignText>{branch ?? tag}</ForeignText> },
  { key: 'commit', header: 'Commit', cell: ({ commit_sha }) => commit_sha?.slice(0, 8) },
  { key: 'cause', header: 'Cause', cell: ({ cause }) => cause },
  { key: 'initiator', header: 'By', cell: ({ initiator }) => <ForeignText>{initiator.name}</ForeignText> },
  {
    key: 'duration',
    header: 'Took',
    isNumber: true,
    cell: ({ started_at, finished_at }) => <Duration from={started_at} to={finished_at} />,
  },
]
