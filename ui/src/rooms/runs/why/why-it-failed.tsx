import { logRoutes } from '@signalbox/contracts/logs/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../../client/index.ts'
import { Findings } from '../../../components/findings.tsx'
import { PageLink, Section } from '../../../components/index.ts'

/** In short, above the graph. Where it cannot be had, the head of the page says the reason, and the tab what is wrong. */
export function WhyItFailed({ runId }: { readonly runId: string }): ReactNode {
  const failure = useQuery(read(logRoutes.explainFailure, { query: { run_id: runId } }))
  if (!failure.data) return null
  const { findings, roots } = failure.data
  const first = roots.flatMap((root) => root.findings.slice(0, 1))
  return (
    <Section
      title="In short"
      actions={
        <PageLink to="/runs/$id" params={{ id: runId }} search={{ tab: 'why' }}>
          Lines of the log, and what to do
        </PageLink>
      }
    >
      <Findings label="In short" findings={first.length > 0 ? first : findings} here={runId} />
    </Section>
  )
}
