import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useLive } from '../../../client/index.ts'
import { Findings } from '../../../components/findings.tsx'
import { ForeignText, ProblemNotice, Section } from '../../../components/index.ts'
import { Quotes } from '../../../components/quotes.tsx'
import type { Run } from '../run.ts'
import { Changes } from './changes.tsx'
import { Failure } from './failure.tsx'
import { isFailed, leftOutWords, titleOf } from './why-words.ts'

/** What a runner says may change without a change of the run. */
const AGAIN_MS = 15_000

/** Why the run waits, what it does, or what became of it; and what changed since the last success. */
export function Why({ run }: { readonly run: Run }): ReactNode {
  return (
    <>
      {isFailed(run.status) ? <Failure run={run} /> : <RunFindings run={run} />}
      {run.started_at !== null && <Changes run={run} />}
    </>
  )
}

/** The answer to "Why?" of a run that has not failed, sentence by sentence. */
export function RunFindings({ run }: { readonly run: Run }): ReactNode {
  const { run_id: id, status } = run
  const why = useQuery({
    ...read(dispatchRoutes.explainRun, { query: { run_id: id } }),
    ...(run.finished_at === null ? { refetchInterval: AGAIN_MS } : {}),
  })
  useLive([`run:${id}`], [runRoutes.getRun, dispatchRoutes.explainRun])
  if (!why.data) {
    return (
      <Section title={titleOf(status)}>
        {/* What the run itself says, until all is known. */}
        <ForeignText>{run.reason ?? run.queue_reason}</ForeignText>
        <ProblemNotice error={why.error} onRetry={() => void why.refetch()} />
      </Section>
    )
  }
  const { findings, what_to_do, quotes, left_out } = why.data
  return (
    <>
      <Section title={titleOf(status)}>
        <Findings label={titleOf(status)} findings={findings} here={id} />
        <Quotes quotes={quotes} />
        {left_out.length > 0 && <p>{leftOutWords(left_out)}</p>}
      </Section>
      {what_to_do.length > 0 && (
        <Section title="What to do">
          <Findings label="What to do" findings={what_to_do} here={id} />
        </Section>
      )}
    </>
  )
}
