import type { ReactNode } from 'react'
import { DataList, EmptyState, Facts, ForeignText, Instant, Section } from '../../components/index.ts'
import type { Source, SourceHealth } from './source.ts'

interface SourceHealthProps {
  readonly source: Source
  readonly health: SourceHealth
}

/** How a source does, as its provider sees it. */
export function SourceHealthView({ source, health }: SourceHealthProps): ReactNode {
  const pauses = health.provider_pauses_after
  return (
    <Section title="Health">
      <Facts
        facts={[
          ['Last delivery', <Instant key="last" at={health.last_delivery_at} />],
          ['Last accepted', <Instant key="well" at={health.last_accepted_at} />],
          [
            'Refused since then',
            pauses === null
              ? String(health.rejected_in_a_row)
              : `${health.rejected_in_a_row}; after ${pauses} the provider pauses the webhook`,
          ],
          ['The provider has probably paused it', health.probably_paused ? 'yes: enable it there again' : null],
          ...source.notes.map((note, index) => [index === 0 ? 'To mend' : ' '.repeat(index), note] as const),
          ...health.credentials.map(
            ({ version, last_used_at }) =>
              [
                `Secret, version ${version}`,
                <span key={version}>
                  last used <Instant at={last_used_at} />
                </span>,
              ] as const,
          ),
        ]}
      />
      {health.unusable_events.length > 0 && (
        <DataList
          label="Events that nothing can use"
          items={health.unusable_events}
          keyOf={({ event_type, action }) => `${event_type} ${action ?? ''}`}
          columns={[
            {
              key: 'event',
              header: 'Events that nothing can use',
              isPlain: true,
              cell: ({ event_type, action }) => (
                <ForeignText>{[event_type, action].filter((part) => part !== null).join(' ')}</ForeignText>
              ),
            },
            { key: 'count', header: 'In 7 days', isNumber: true, cell: ({ count }) => count },
            { key: 'last', header: 'Last', cell: ({ last_at }) => <Instant at={last_at} /> },
          ]}
          empty={<EmptyState title="None">Everything that came could be used.</EmptyState>}
        />
      )}
    </Section>
  )
}
