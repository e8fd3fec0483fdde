import type { ReactNode } from 'react'
import { Instant, PageLink, StatusBadge, Why } from '../../components/index.ts'
import type { ExternalTrigger } from './external-trigger.ts'

/** When it fired last and what came of it; a refusal with its reason. */
export function LastFire({ trigger }: { readonly trigger: ExternalTrigger }): ReactNode {
  const { identifier, last_fired_at: at, last_run_id: runId, last_refusal: refusal } = trigger
  return (
    <>
      {at === null && refusal === null && 'never'}
      {at !== null && <Instant at={at} />}{' '}
      {runId !== null && (
        <PageLink to="/runs/$id" params={{ id: runId }} aria-label={`The run that ${identifier} started last`}>
          its run
        </PageLink>
      )}{' '}
      {refusal !== null && (
        <>
          <StatusBadge status="refused" />
          <Why of={`the last fire of ${identifier} was refused`}>{refusal}</Why>
        </>
      )}
    </>
  )
}
