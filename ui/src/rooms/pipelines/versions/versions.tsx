import type { ItemOf } from '@signalbox/contracts/http/requests'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, readPages } from '../../../client/index.ts'
import { type Column, DataList, ForeignText, Instant, Section } from '../../../components/index.ts'
import type { Pipeline } from '../pipeline.ts'

/** How a pipeline came to be: each save made a version. */
export function Versions({ pipeline }: { readonly pipeline: Pipeline }): ReactNode {
  const versions = useInfiniteQuery(readPages(pipelineRoutes.listPipelineVersions, { params: { id: pipeline.id } }))
  return (
    <Section title="Versions">
      <DataList
        label="Versions"
        columns={COLUMNS}
        items={versions.data && itemsOf(versions.data)}
        keyOf={({ id }) => id}
        error={versions.error}
        onRetry={() => void versions.refetch()}
        hasMore={versions.hasNextPage}
        isReadingMore={versions.isFetchingNextPage}
        onMore={() => void versions.fetchNextPage()}
        empty={null}
      />
    </Section>
  )
}

const COLUMNS: readonly Column<ItemOf<typeof pipelineRoutes.listPipelineVersions>>[] = [
  { key: 'version', header: 'Version', cell: ({ version }) => version },
  { key: 'by', header: 'Saved by', cell: ({ saved_by }) => <ForeignText>{saved_by}</ForeignText> },
  { key: 'at', header: 'Saved', cell: ({ saved_at }) => <Instant at={saved_at} /> },
]
