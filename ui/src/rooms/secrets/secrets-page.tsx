import type { ItemOf } from '@signalbox/contracts/http/requests'
import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, moreOf, readPages } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  PageHeader,
  PageLink,
} from '../../components/index.ts'
import { EVERY_TEAM, teamOrAny, teamPathQuery } from '../../shell/index.ts'
import { DeleteSecret } from './delete-secret.tsx'
import { RetireVersion } from './retire-version.tsx'
import type { Secret } from './secret.ts'
import { SecretForm } from './secret-form.tsx'

const page = getRouteApi('/shell/t/$team/secrets')

/** The stored secrets of a team: names, versions and uses, never values. */
export function SecretsPage(): ReactNode {
  const { team } = page.useParams()
  const isEvery = team === EVERY_TEAM
  const [isCreating, setCreating] = useState(false)
  const columns = [...COLUMNS, usedBy(useSourcesBySecret()), ACTIONS]
  const secrets = useInfiniteQuery(readPages(secretRoutes.listSecrets, { query: teamPathQuery(team) }))
  const create = (
    <AllowedButton permission="secret.write" at={teamOrAny(team)} onClick={() => setCreating(true)}>
      Store a secret
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Secrets"
        sentence="A value goes in and never comes out. Runs get it by its name; logs show *** in its place."
        actions={
          <>
            {create}
            <CopyAs path="/v1/secrets" command={['secret', 'list']} />
          </>
        }
      />
      <DataList
        label="Secrets"
        columns={columns}
        items={secrets.data && itemsOf(secrets.data)}
        keyOf={({ id }) => id}
        {...moreOf(secrets)}
        empty={
          <EmptyState title="No secret yet" action={create} command={'secrets: { NPM_TOKEN: acme/web/npm }'}>
            A pipeline names a secret in such a line, and its tasks find the value in their environment.
          </EmptyState>
        }
      />
      {isCreating && <SecretForm team={isEvery ? '' : team} onClose={() => setCreating(false)} />}
    </>
  )
}

const COLUMNS: readonly Column<Secret>[] = [
  { key: 'name', header: 'Name', isPlain: true, cell: ({ team_path, name }) => `${team_path}/${name}` },
  { key: 'environments', header: 'Environments', cell: ({ environments }) => environments.join(', ') || 'all' },
  {
    key: 'versions',
    header: 'Versions',
    cell: (secret) => <Versions secret={secret} />,
  },
  { key: 'used', header: 'Last used', cell: ({ last_used_at }) => <Instant at={last_used_at} /> },
  { key: 'updated', header: 'Stored', cell: ({ updated_at }) => <Instant at={updated_at} /> },
]

const ACTIONS: Column<Secret> = {
  key: 'actions',
  header: 'Actions',
  isPlain: true,
  cell: (secret) => <SecretActions secret={secret} />,
}

/** The webhook sources that a secret proves; pipelines name theirs in their documents. */
function usedBy(sources: ReadonlyMap<string, readonly Source[]>): Column<Secret> {
  return {
    key: 'sources',
    header: 'Proves deliveries of',
    cell: ({ team_path, name }) =>
      sources.get(`secret:${team_path}/${name}`)?.map((source) => (
        <PageLink key={source.id} to="/sources/$id" params={{ id: source.id }} mr="sm">
          <ForeignText>{source.name}</ForeignText>
        </PageLink>
      )) ?? '–',
  }
}

type Source = ItemOf<typeof sourceRoutes.listSources>

/** The sources that one may see, by the reference of their secret. */
function useSourcesBySecret(): ReadonlyMap<string, readonly Source[]> {
  const sources = useInfiniteQuery({ ...readPages(sourceRoutes.listSources, { query: { limit: 500 } }), retry: false })
  return Map.groupBy(itemsOf(sources.data), ({ credential_ref }) => credential_ref)
}

function Versions({ secret }: { readonly secret: Secret }): ReactNode {
  const [current, ...older] = secret.versions
  return (
    <>
      {current?.version ?? secret.version}
      {older.map(({ version }) => (
        <RetireVersion key={version} secret={secret} version={version} />
      ))}
    </>
  )
}

function SecretActions({ secret }: { readonly secret: Secret }): ReactNode {
  const [dialog, setDialog] = useState<'rotate' | 'delete'>()
  const common = { permission: 'secret.write', at: secret.team_path, variant: 'subtle' } as const
  return (
    <>
      <AllowedButton {...common} onClick={() => setDialog('rotate')}>
        Rotate
      </AllowedButton>
      <AllowedButton {...common} color="red" onClick={() => setDialog('delete')}>
        Delete
      </AllowedButton>
      {dialog === 'rotate' && <SecretForm secret={secret} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && <DeleteSecret secret={secret} onClose={() => setDialog(undefined)} />}
    </>
  )
}
