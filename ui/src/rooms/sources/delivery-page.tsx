import { deliveryRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLive } from '../../client/index.ts'
import { CopyAs, ForeignText, Instant, PageHeader, PageLink, Section, StatusBadge } from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { EventTree } from './event-tree.tsx'
import { PayloadView } from './payload-view.tsx'
import { PushAnswer } from './push-answer.tsx'
import { ReplayActions } from './replay-actions.tsx'
import type { DeliveryDetail } from './source.ts'
import type { TraceAddress } from './trace-address.ts'
import { useTeamOfSource } from './use-team-of-source.ts'

const page = getRouteApi('/shell/sources/$id/deliveries/$delivery')

/** One delivery: how it was judged, condition by condition, and what it holds. */
export function DeliveryPage(): ReactNode {
  const { id: sourceID } = page.useParams()
  const search = page.useSearch()
  const delivery = useQuery(page.useLoaderData())
  useLive([`deliveries:${sourceID}`], [deliveryRoutes.getDelivery])
  if (delivery.data === undefined) {
    return <ObjectPending title="Delivery" query={delivery} />
  }
  return <LoadedDelivery delivery={delivery.data} wanted={search} />
}

interface LoadedDeliveryProps {
  readonly delivery: DeliveryDetail
  readonly wanted: TraceAddress
}

function LoadedDelivery({ delivery, wanted }: LoadedDeliveryProps): ReactNode {
  const { id, source_id, event_type, action, trace } = delivery
  const team = useTeamOfSource(source_id)
  return (
    <>
      <PageHeader
        title={`Delivery: ${[event_type || 'unnamed', action].filter((part) => part !== null).join(' ')}`}
        team={team}
        breadcrumb={[
          ...(team === undefined
            ? []
            : [
                <PageLink key="list" to="/t/$team/sources" params={{ team }}>
                  Sources of {team}
                </PageLink>,
              ]),
          <PageLink key="source" to="/sources/$id" params={{ id: source_id }}>
            The source
          </PageLink>,
        ]}
        badge={
          <>
            <StatusBadge status={delivery.result} />
            {delivery.recovered && <StatusBadge status="recovered" />}
          </>
        }
        sentence={<ForeignText>{delivery.reason}</ForeignText>}
        facts={[
          delivery.repository !== null && <ForeignText key="repository">{delivery.repository}</ForeignText>,
          delivery.ref !== null && <ForeignText key="ref">{delivery.ref}</ForeignText>,
          delivery.commit_sha?.slice(0, 12),
          delivery.sender !== null && (
            <span key="sender">
              by <ForeignText>{delivery.sender}</ForeignText>
            </span>
          ),
          <Instant key="received" at={delivery.received_at} />,
          delivery.missed_at !== null && (
            <span key="missed">
              missed <Instant at={delivery.missed_at} />
            </span>
          ),
          `answered ${delivery.status_code} in ${Math.round(delivery.duration_ms)} ms`,
          delivery.replay_of !== null && (
            <PageLink
              key="replay"
              to="/sources/$id/deliveries/$delivery"
              params={{ id: source_id, delivery: delivery.replay_of }}
            >
              a replay
            </PageLink>
          ),
          delivery.duplicate_of !== null && (
            <PageLink
              key="first"
              to="/sources/$id/deliveries/$delivery"
              params={{ id: source_id, delivery: delivery.duplicate_of }}
            >
              the first of them
            </PageLink>
          ),
        ].filter((fact) => fact !== false && fact !== undefined)}
        actions={
          <>
            <ReplayActions sourceId={source_id} deliveryId={id} />
            <CopyAs
              path={`/v1/git-webhook-sources/${source_id}/deliveries/${id}`}
              command={['source', 'delivery', source_id, id]}
            />
          </>
        }
      />
      <Section title="In short">
        <PushAnswer query={{ delivery_id: id }} here={id} />
      </Section>
      <Section title="Why">
        <EventTree
          verification={delivery.verification}
          proof={trace.verification}
          events={trace.events}
          wanted={wanted}
        />
      </Section>
      <Section title="What it holds">
        <PayloadView delivery={delivery} />
      </Section>
    </>
  )
}
