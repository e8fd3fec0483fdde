import type { ReactNode } from 'react'
import { type Column, ForeignText, Instant, PageLink, RowLink, StatusBadge, Why } from '../../components/index.ts'
import type { Delivery, Source } from './source.ts'

/** The columns of a list of deliveries; `sources` gives their names. */
export function deliveryColumns(sources: readonly Source[]): readonly Column<Delivery>[] {
  const names = new Map(sources.map(({ id, name }) => [id, name]))
  return [
    {
      key: 'result',
      header: 'Result',
      isPlain: true,
      cell: ({ result, reason, recovered }) => (
        <>
          <StatusBadge status={result} />
          <Why of={result}>{reason}</Why>
          {recovered && <StatusBadge status="recovered" />}
        </>
      ),
    },
    {
      key: 'event',
      header: 'Event',
      isPlain: true,
      cell: ({ id, source_id, event_type, action }) => (
        <RowLink to="/sources/$id/deliveries/$delivery" params={{ id: source_id, delivery: id }}>
          <ForeignText>{[event_type || 'unnamed', action].filter((part) => part !== null).join(' ')}</ForeignText>
        </RowLink>
      ),
    },
    {
      key: 'repository',
      header: 'Repository',
      cell: ({ repository }) => <ForeignText>{repository}</ForeignText>,
    },
    { key: 'ref', header: 'Ref', cell: ({ ref }) => <ForeignText>{shorten(ref)}</ForeignText> },
    { key: 'sender', header: 'By', cell: ({ sender }) => <ForeignText>{sender}</ForeignText> },
    { key: 'source', header: 'Source', cell: ({ source_id }) => <ForeignText>{names.get(source_id)}</ForeignText> },
    {
      key: 'runs',
      header: 'Runs',
      cell: ({ run_ids }) =>
        run_ids.map((id, index) => (
          <PageLink key={id} to="/runs/$id" params={{ id }}>
            {run_ids.length === 1 ? 'the run' : `${index === 0 ? '' : ', '}run ${index + 1}`}
          </PageLink>
        )),
    },
    {
      key: 'received',
      header: 'Received',
      cell: ({ received_at, missed_at }) => (
        <>
          <Instant at={received_at} />
          <Missed at={missed_at} />
        </>
      ),
    },
  ]
}

/** When a delivery was missed that came back. */
function Missed({ at }: { readonly at: string | null }): ReactNode {
  return (
    at !== null && (
      <>
        , missed <Instant at={at} />
      </>
    )
  )
}

function shorten(ref: string | null): string | null {
  return ref?.replace(/^refs\/(heads|tags)\//, '') ?? null
}
