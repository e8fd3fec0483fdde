import { recoveryRoutes } from '@signalbox/contracts/recovery/routes'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages, useLive, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  Facts,
  ForeignText,
  Instant,
  PageLink,
  ProblemNotice,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import type { Recovery, Source, SourceHealth } from './source.ts'

interface SourceRecoveriesProps {
  readonly source: Source
  readonly standing: SourceHealth['recovery']
}

/** What the provider sent while nobody was there: how much is known of it, and what became of each delivery. */
export function SourceRecoveries({ source, standing }: SourceRecoveriesProps): ReactNode {
  const params = { sourceID: source.id }
  const recoveries = useInfiniteQuery(readPages(recoveryRoutes.listRecoveries, { params, query: { limit: 20 } }))
  useLive([`deliveries:${source.id}`], [recoveryRoutes.listRecoveries])
  const look = useWrite(recoveryRoutes.lookForMissed, {
    changes: [recoveryRoutes.listRecoveries, sourceRoutes.getSourceHealth],
  })
  const { gap, reason } = standing
  return (
    <Section
      title="Lost deliveries"
      actions={
        <>
          <AllowedButton
            permission="delivery.replay"
            at={source.team_path}
            variant="default"
            loading={look.isPending}
            onClick={() => look.mutate({ params })}
          >
            Look now
          </AllowedButton>
          <CopyAs
            path={`/v1/git-webhook-sources/${source.id}/recoveries`}
            command={['source', 'recoveries', source.id]}
          />
        </>
      }
    >
      <ProblemNotice error={look.error} />
      <Facts
        facts={[
          ['Looked at the provider', <Instant key="looked" at={standing.looked_at} />],
          [
            'Something may be missing',
            gap && (
              <>
                from <Instant at={gap.from} /> to <Instant at={gap.to} />
              </>
            ),
          ],
          ['Missing', String(standing.missing)],
          ['Recovered in 7 days', String(standing.recovered_7_days)],
          ['Why', reason],
        ]}
      />
      <DataList
        label="Lost deliveries"
        columns={COLUMNS}
        items={recoveries.data && itemsOf(recoveries.data)}
        keyOf={({ id }) => id}
        {...moreOf(recoveries)}
        empty={
          <EmptyState title="No delivery was lost">
            The log of the provider is read every five minutes, or the heads that it shows are compared. What is missing
            is sent again, or made, by itself.
          </EmptyState>
        }
      />
    </Section>
  )
}

const COLUMNS: readonly Column<Recovery>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: ({ state }) => <StatusBadge status={`delivery_${state}`} />,
  },
  {
    key: 'event',
    header: 'Event',
    isPlain: true,
    cell: ({ source_id, delivery_id, event_type }) =>
      delivery_id === null ? (
        <ForeignText>{event_type}</ForeignText>
      ) : (
        <PageLink to="/sources/$id/deliveries/$delivery" params={{ id: source_id, delivery: delivery_id }}>
          <ForeignText>{event_type}</ForeignText>
        </PageLink>
      ),
  },
  {
    key: 'how',
    header: 'How',
    cell: ({ kind, event_id }) =>
      kind === 'made' && event_id !== null ? (
        <PageLink to="/events/$id" params={{ id: event_id }}>
          Made from heads
        </PageLink>
      ) : (
        'Sent again'
      ),
  },
  {
    key: 'repository',
    header: 'Repository',
    cell: ({ repository }) => <ForeignText>{repository ?? 'of the app'}</ForeignText>,
  },
  {
    key: 'head',
    header: 'Ref and head',
    cell: ({ ref, head_sha }) =>
      head_sha !== null && (
        <>
          <ForeignText>{ref}</ForeignText> <code>{head_sha.slice(0, 12)}</code>
        </>
      ),
  },
  { key: 'missed', header: 'Missed', cell: ({ missed_at }) => <Instant at={missed_at} /> },
  { key: 'recovered', header: 'Came', cell: ({ recovered_at }) => <Instant at={recovered_at} /> },
  { key: 'tries', header: 'Asked for', isNumber: true, cell: ({ tries }) => tries },
  { key: 'why', header: 'Why not', cell: ({ given_up_reason }) => <ForeignText>{given_up_reason}</ForeignText> },
]
