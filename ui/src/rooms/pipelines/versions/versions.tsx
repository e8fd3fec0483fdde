import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages } from '../../../client/index.ts'
import { type Column, DataList, ForeignText, Instant, RowLink, Section } from '../../../components/index.ts'
import type { Pipeline } from '../pipeline.ts'
import { Compared } from './compared.tsx'
import type { Version } from './version.ts'

const page = getRouteApi('/shell/pipelines/$id')

/** How a pipeline came to be: each save made a version. */
export function Versions({ pipeline }: { readonly pipeline: Pipeline }): ReactNode {
  const { version = pipeline.version, with: other = version - 1 } = page.useSearch()
  const versions = useInfiniteQuery(readPages(pipelineRoutes.listPipelineVersions, { params: { id: pipeline.id } }))
  return (
    <>
      <Section title="Versions">
        <DataList
          label="Versions"
          columns={COLUMNS}
          items={versions.data && itemsOf(versions.data)}
          keyOf={({ id }) => id}
          {...moreOf(versions)}
          empty={null}
        />
      </Section>
      <Compared key={`${version} ${other}`} pipeline={pipeline} version={version} other={other} />
    </>
  )
}

const COLUMNS: readonly Column<Version>[] = [
  {
    key: 'version',
    header: 'Version',
    isPlain: true,
    cell: ({ pipeline_id, version }) => (
      <RowLink to="/pipelines/$id" params={{ id: pipeline_id }} search={{ tab: 'versions', version }}>
        Version {version}
      </RowLink>
    ),
  },
  { key: 'by', header: 'Saved by', cell: ({ saved_by }) => <ForeignText>{saved_by}</ForeignText> },
  { key: 'at', header: 'Saved', cell: ({ saved_at }) => <Instant at={saved_at} /> },
]
