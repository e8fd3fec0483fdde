import { resultRoutes, runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../../client/index.ts'
import { Findings } from '../../../components/findings.tsx'
import { Facts, ForeignText, formatDuration, PageLink, ProblemNotice, Section } from '../../../components/index.ts'
import type { Run } from '../run.ts'

const TITLE = 'What changed since the last success'

/** What is different about the run, beside the newest success of its pipeline before it. */
export function Changes({ run }: { readonly run: Run }): ReactNode {
  const { run_id: id, pipeline_id: pipeline, queued_at: until } = run
  // Asked first: that there is no success yet is no failure of the question.
  const earlier = useQuery(read(runRoutes.listRuns, { query: { pipeline, status: ['success'], until, limit: 1 } }))
  if (!earlier.data) return <ProblemNotice error={earlier.error} onRetry={() => void earlier.refetch()} />
  if (earlier.data.length > 0) return <ChangesSince runId={id} />
  return (
    <Section title={TITLE}>
      <p>No run of this pipeline succeeded before it.</p>
    </Section>
  )
}

function ChangesSince({ runId }: { readonly runId: string }): ReactNode {
  const changes = useQuery(read(resultRoutes.explainChanges, { query: { run_id: runId } }))
  if (!changes.data) return <ProblemNotice error={changes.error} onRetry={() => void changes.refetch()} />
  const { findings, with: other, took_ms: took, commit_sha: commit, branch, variables } = changes.data
  return (
    <Section
      title={TITLE}
      actions={
        <PageLink to="/runs/$id/compare" params={{ id: runId }} search={{ other }}>
          Compare them
        </PageLink>
      }
    >
      {findings.length === 0 && <p>Nothing that is known.</p>}
      <Findings label={TITLE} findings={findings} here={runId} />
      <Facts
        facts={[
          differing('Commit', commit.was, commit.is),
          differing('Branch', branch.was, branch.is),
          ...variables.map(({ name, was, is }) => differing(name, was, is)),
          ['Took', `${durationOf(took.was)}, now ${durationOf(took.is)}`],
        ]}
      />
    </Section>
  )
}

function durationOf(milliseconds: number | null): string {
  return milliseconds === null ? 'not known' : formatDuration(milliseconds)
}

/** Left out where both are the same. */
function differing(name: string, was: string | null, is: string | null): readonly [string, ReactNode] {
  if (was === is) return [name, null]
  return [
    name,
    <span key={name}>
      <ForeignText>{was ?? 'none'}</ForeignText>, now <ForeignText>{is ?? 'none'}</ForeignText>
    </span>,
  ]
}
