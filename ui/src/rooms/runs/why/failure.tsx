import { logRoutes } from '@signalbox/contracts/logs/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useLive } from '../../../client/index.ts'
import { Findings } from '../../../components/findings.tsx'
import { ForeignText, PageLink, ProblemNotice, Section, StatusBadge, showInvisible } from '../../../components/index.ts'
import type { Run } from '../run.ts'
import type { FailureRoot } from './failure-root.ts'
import { RelevantLines } from './relevant-lines.tsx'
import { leftOutWords, tasksWords, titleOf } from './why-words.ts'

/** What failed by itself, the lines that tell why, and what never ran because of it. */
export function Failure({ run }: { readonly run: Run }): ReactNode {
  const { run_id: runId } = run
  const title = titleOf(run.status)
  const failure = useQuery(read(logRoutes.explainFailure, { query: { run_id: runId } }))
  useLive([`run:${runId}`], [runRoutes.getRun, logRoutes.explainFailure])
  if (!failure.data) {
    return (
      <Section title={title}>
        <ProblemNotice error={failure.error} onRetry={() => void failure.refetch()} />
      </Section>
    )
  }
  const { findings, roots, more_roots, never_ran, canceled, left_out } = failure.data
  return (
    <>
      <Section title={title}>
        <Findings label={title} findings={findings} here={runId} />
        {never_ran.count > 0 && (
          <p>
            Never ran because of it: <ForeignText>{tasksWords(never_ran)}</ForeignText>.
          </p>
        )}
        {canceled.count > 0 && (
          <p>
            Ended with the run: <ForeignText>{tasksWords(canceled)}</ForeignText>.
          </p>
        )}
        {left_out.length > 0 && <p>{leftOutWords(left_out)}</p>}
      </Section>
      {roots.map((root) => (
        <Root key={`${root.run_id} ${root.step} ${root.task}`} root={root} here={runId} />
      ))}
      {more_roots > 0 && <p>{more_roots} more failed by themselves; the table of the tasks has them all.</p>}
    </>
  )
}

interface RootProps {
  readonly root: FailureRoot
  readonly here: string
}

function Root({ root, here }: RootProps): ReactNode {
  const { step, task, status, reason, findings, what_to_do, lines, run_id, through } = root
  const name = task === null ? step : `${step}/${task}`
  return (
    <Section title={showInvisible(name)} actions={<StatusBadge status={status} />}>
      {through.length > 0 && (
        <p>
          In{' '}
          <PageLink underline="always" to="/runs/$id" params={{ id: run_id }} search={{ tab: 'why' }}>
            a run that was started by{' '}
          </PageLink>
          <ForeignText>{through.map((place) => `${place.step}/${place.task}`).join(', ')}</ForeignText>.
        </p>
      )}
      <Findings label={`Why ${name} failed`} findings={findings} here={here} />
      {reason !== null && (
        <p>
          As it was reported: <ForeignText>{reason}</ForeignText>
        </p>
      )}
      {lines !== null && <RelevantLines root={root} lines={lines} />}
      {what_to_do.length > 0 && <Findings label={`What to do about ${name}`} findings={what_to_do} here={here} />}
    </Section>
  )
}
