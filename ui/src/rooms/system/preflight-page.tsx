import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyAs, EmptyState, PageHeader, ProblemNotice, Section } from '../../components/index.ts'

const page = getRouteApi('/shell/system/preflight')

/** What stands between this installation and a run, each obstacle with its remedy. */
export function PreflightPage(): ReactNode {
  const preflight = useQuery(page.useLoaderData())
  const blockers = preflight.data?.blockers ?? []
  return (
    <>
      <PageHeader
        title="Preflight"
        sentence="What stands between this installation and a run."
        actions={<CopyAs path="/v1/setup/preflight" command={['doctor']} />}
      />
      <ProblemNotice error={preflight.error} onRetry={() => void preflight.refetch()} />
      {preflight.data?.ready === true && (
        <EmptyState title="All is well" command="signalbox doctor">
          The database answers, the keys fit, there is room on the disk. The command looks at the machine, too.
        </EmptyState>
      )}
      {blockers.map(({ code, message, remedy }) => (
        <Section key={code} title={message}>
          <p>{remedy}</p>
        </Section>
      ))}
    </>
  )
}
