import type { ItemOf } from '@signalbox/contracts/http/requests'
import { mcpRoutes } from '@signalbox/contracts/mcp/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages } from '../../client/index.ts'
import { useMayDo } from '../../client/session.ts'
import {
  type Column,
  DataList,
  EmptyState,
  ForeignText,
  formatBytes,
  Instant,
  PageLink,
  StatusBadge,
} from '../../components/index.ts'
import { ToolName } from './tool-name.tsx'

type Call = ItemOf<typeof mcpRoutes.listMcpCalls>

const AGAIN_MS = 15_000

/** What agents asked for in the last day; read again while the page is looked at. */
export function Calls({ tokenId }: { readonly tokenId: string | undefined }): ReactNode {
  const query = tokenId === undefined ? {} : { token_id: tokenId }
  const calls = useInfiniteQuery({ ...readPages(mcpRoutes.listMcpCalls, { query }), refetchInterval: AGAIN_MS })
  const seesAll = useMayDo()('audit.read', '/')
  return (
    <>
      {seesAll ? (
        <p>
          Older ones stand in the{' '}
          <PageLink
            to="/audit"
            search={{ action: 'tool.called', ...(tokenId === undefined ? {} : { token: tokenId }) }}
          >
            audit
          </PageLink>
          .
        </p>
      ) : (
        <p>These are your own. Calls of others need the permission audit.read; an administrator can give it.</p>
      )}
      <DataList
        label="Calls"
        columns={COLUMNS}
        items={calls.data && itemsOf(calls.data)}
        keyOf={({ id }) => id}
        {...moreOf(calls)}
        empty={<EmptyState title="No call yet">The first call of a tool appears here by itself.</EmptyState>}
      />
    </>
  )
}

const COLUMNS: readonly Column<Call>[] = [
  {
    key: 'outcome',
    header: 'Outcome',
    isPlain: true,
    cell: ({ outcome }) => <StatusBadge status={outcome === 'failed' ? 'failure' : outcome} />,
  },
  { key: 'tool', header: 'Tool', isPlain: true, cell: ({ tool }) => <ToolName>{tool}</ToolName> },
  { key: 'client', header: 'Client', cell: ({ client }) => <ForeignText>{client ?? 'not told'}</ForeignText> },
  { key: 'subject', header: 'By', cell: ({ subject }) => <ForeignText>{subject}</ForeignText> },
  { key: 'at', header: 'At', cell: ({ occurred_at }) => <Instant at={occurred_at} /> },
  { key: 'bytes', header: 'Answer', isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    key: 'plan',
    header: 'Plan',
    cell: ({ plan_id: id }) =>
      id === null ? null : (
        <PageLink to="/plans/$id" params={{ id }}>
          the plan
        </PageLink>
      ),
  },
]
