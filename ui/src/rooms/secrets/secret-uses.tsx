import type { ItemOf } from '@signalbox/contracts/http/requests'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages } from '../../client/index.ts'
import { type Column, DataList, EmptyState, ForeignText, RowLink } from '../../components/index.ts'

/** The pipelines whose current version names a secret, `<team path>/<name>`. */
export function SecretPipelines({ path }: { readonly path: string }): ReactNode {
  const pipelines = useInfiniteQuery(readPages(pipelineRoutes.listPipelines, { query: { secret: path } }))
  return (
    <DataList
      label="Pipelines that use it"
      columns={PIPELINES}
      items={pipelines.data && itemsOf(pipelines.data)}
      keyOf={({ id }) => id}
      {...moreOf(pipelines)}
      empty={
        <EmptyState title="No pipeline names it" command={`secrets: { NAME: ${path} }`}>
          A pipeline names a secret in such a line, or as the credential of a registry.
        </EmptyState>
      }
    />
  )
}

/** The webhook sources that verify deliveries or read repositories with a secret. */
export function SecretSources({ path }: { readonly path: string }): ReactNode {
  const reference = `secret:${path}`
  const sources = useInfiniteQuery(readPages(sourceRoutes.listSources, { query: { credential_ref: reference } }))
  return (
    <DataList
      label="Webhook sources that use it"
      columns={[SOURCE, usedFor(reference)]}
      items={sources.data && itemsOf(sources.data)}
      keyOf={({ id }) => id}
      {...moreOf(sources)}
      empty={
        <EmptyState title="No webhook source uses it">
          A source proves its deliveries with a secret, and may read its repositories with another.
        </EmptyState>
      }
    />
  )
}

const PIPELINES: readonly Column<ItemOf<typeof pipelineRoutes.listPipelines>>[] = [
  {
    key: 'name',
    header: 'Pipeline',
    isPlain: true,
    cell: ({ id, identifier }) => (
      <RowLink to="/pipelines/$id" params={{ id }}>
        {identifier}
      </RowLink>
    ),
  },
  {
    key: 'at',
    header: 'Named at',
    cell: ({ named_at }) => <ForeignText>{named_at?.join(', ')}</ForeignText>,
  },
]

type Source = ItemOf<typeof sourceRoutes.listSources>

const SOURCE: Column<Source> = {
  key: 'name',
  header: 'Source',
  isPlain: true,
  cell: ({ id, name }) => (
    <RowLink to="/sources/$id" params={{ id }}>
      <ForeignText>{name}</ForeignText>
    </RowLink>
  ),
}

function usedFor(reference: string): Column<Source> {
  return {
    key: 'for',
    header: 'For',
    cell: ({ credential_ref, checkout_credential_ref }) =>
      [
        ...(credential_ref === reference ? ['deliveries'] : []),
        ...(checkout_credential_ref === reference ? ['its repositories'] : []),
      ].join(', '),
  }
}
