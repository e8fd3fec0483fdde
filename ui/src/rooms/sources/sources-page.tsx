import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, read } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  PageHeader,
  RowLink,
  StatusBadge,
  Why,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { teamOrAny } from '../../shell/index.ts'
import type { Source } from './source.ts'

const page = getRouteApi('/shell/t/$team/sources')

/** The addresses to which providers send, and how they do. */
export function SourcesPage(): ReactNode {
  const { team } = page.useParams()
  const navigate = page.useNavigate()
  const sources = useInfiniteQuery(page.useLoaderData())
  const create = (
    <AllowedButton
      permission="webhook_source.write"
      at={teamOrAny(team)}
      onClick={() => void navigate({ to: '/t/$team/sources/new', params: { team } })}
    >
      Create a source
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Sources"
        sentence="A source is the address to which one Git provider sends, with the secret that proves what comes."
        actions={
          <>
            {create}
            <CopyAs
              {...listCopy('/v1/git-webhook-sources', ['source', 'list'], [['team_path', undefined, teamOrAny(team)]])}
            />
          </>
        }
      />
      <DataList
        label="Sources"
        columns={COLUMNS}
        items={sources.data && itemsOf(sources.data)}
        keyOf={({ id }) => id}
        {...moreOf(sources)}
        empty={
          <EmptyState
            title="No source yet"
            action={create}
            command="signalbox source create shop -t acme --secret acme/github -r 'acme/*'"
          >
            Pushes and pull requests start runs once a provider sends them here.
          </EmptyState>
        }
      />
    </>
  )
}

const COLUMNS: readonly Column<Source>[] = [
  { key: 'health', header: 'Health', isPlain: true, cell: (source) => <Health source={source} /> },
  {
    key: 'name',
    header: 'Name',
    isPlain: true,
    cell: ({ id, name }) => (
      <RowLink to="/sources/$id" params={{ id }}>
        <ForeignText>{name}</ForeignText>
      </RowLink>
    ),
  },
  { key: 'provider', header: 'Provider', cell: ({ provider }) => provider },
  { key: 'team', header: 'Team', cell: ({ team_path }) => team_path },
  {
    key: 'repositories',
    header: 'Repositories',
    cell: ({ repository_allowlist }) => <ForeignText>{repository_allowlist.join(', ')}</ForeignText>,
  },
  {
    key: 'triggers',
    header: 'Triggers',
    isNumber: true,
    cell: ({ connected_trigger_count }) => connected_trigger_count,
  },
  { key: 'updated', header: 'Changed', cell: ({ updated_at }) => <Instant at={updated_at} /> },
]

function Health({ source }: { readonly source: Source }): ReactNode {
  const health = useQuery(read(sourceRoutes.getSourceHealth, { params: { sourceID: source.id } }))
  if (!health.data) return <StatusBadge status={source.enabled ? 'pending' : 'disabled'} />
  return (
    <>
      <StatusBadge status={health.data.status} />
      <Why of={source.name}>{health.data.sentence}</Why>
    </>
  )
}
