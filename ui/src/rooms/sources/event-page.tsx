import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  CopyAs,
  EmptyState,
  ForeignText,
  Instant,
  PageHeader,
  PageLink,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { EventTree } from './event-tree.tsx'

const page = getRouteApi('/shell/events/$id')

/** One event, of a delivery or posted, and why it started what it started. */
export function EventPage(): ReactNode {
  const { id } = page.useParams()
  const wanted = page.useSearch()
  const query = useQuery(page.useLoaderData())
  const event = query.data
  if (event === undefined) {
    return <ObjectPending title="Event" query={query} />
  }
  // Who comes to see one rule wants the payload, too: the delivery has both.
  if (Object.keys(wanted).length > 0 && event.delivery_id !== null && event.source_id !== null) {
    const params = { id: event.source_id, delivery: event.delivery_id }
    return <Navigate to="/sources/$id/deliveries/$delivery" params={params} search={wanted} replace />
  }
  return (
    <>
      <PageHeader
        title={`Event: ${[event.kind, event.action].filter((part) => part !== null).join(' ')}`}
        badge={
          <>
            <StatusBadge status={event.result} />
            {event.recovered && <StatusBadge status="recovered" />}
          </>
        }
        facts={[
          <ForeignText key="repository">{event.repository}</ForeignText>,
          event.ref !== null && <ForeignText key="ref">{event.ref}</ForeignText>,
          event.commit_sha?.slice(0, 12),
          event.posted_by !== null && `posted by ${event.posted_by.name}`,
          <Instant key="received" at={event.received_at} />,
          event.missed_at !== null && (
            <span key="missed">
              missed <Instant at={event.missed_at} />
            </span>
          ),
          event.delivery_id !== null && event.source_id !== null && (
            <PageLink
              key="delivery"
              to="/sources/$id/deliveries/$delivery"
              params={{ id: event.source_id, delivery: event.delivery_id }}
            >
              the delivery that brought it
            </PageLink>
          ),
        ].filter((fact) => fact !== false && fact !== undefined)}
        actions={<CopyAs path={`/v1/events/${id}`} command={['event', 'show', id]} />}
      />
      <Section title="Why">
        {event.trace ? (
          <EventTree events={[event.trace]} wanted={wanted} />
        ) : (
          <EmptyState title="The trace is not kept any more">
            Records end after the days that the operator set.
          </EmptyState>
        )}
      </Section>
    </>
  )
}
