import { deliveryRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../../client/index.ts'
import { EmptyState, ForeignText, Instant, PageLink, StatusBadge } from '../../../components/index.ts'
import { teamQuery } from '../../../shell/index.ts'

/** Why the list of runs is empty, and what to do next. */
export function NoRuns({ team, isFiltered }: { readonly team: string; readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) return <EmptyState title="No run fits">Take a filter away, or begin earlier.</EmptyState>
  return (
    <EmptyState title="No run yet" command="signalbox pipeline run <team>/<pipeline>">
      A run begins with a push, by a schedule, or when somebody starts a pipeline. The list of deliveries says why one
      started nothing.
      <LastDelivery team={team} />
    </EmptyState>
  )
}

/** What came last from a provider, and why it started no run; nothing where one may not see that. */
function LastDelivery({ team }: { readonly team: string }): ReactNode {
  const query = { ...teamQuery(team), limit: 1 }
  const deliveries = useQuery({ ...read(deliveryRoutes.listAllDeliveries, { query }), retry: false })
  const last = deliveries.data?.[0]
  if (!last) return null
  const params = { id: last.source_id, delivery: last.id }
  return (
    <p>
      <StatusBadge status={last.result} /> The{' '}
      <PageLink to="/sources/$id/deliveries/$delivery" params={params}>
        last delivery
      </PageLink>{' '}
      came <Instant at={last.received_at} />. <ForeignText>{last.reason}</ForeignText>
    </p>
  )
}
