import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  Instant,
  PageHeader,
  RowLink,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { EVERY_TEAM, teamOrAny } from '../../shell/index.ts'
import type { Secret } from './secret.ts'
import { SecretActions } from './secret-actions.tsx'
import { SecretForm } from './secret-form.tsx'
import { SecretVersions } from './secret-versions.tsx'

const page = getRouteApi('/shell/t/$team/secrets')

/** The stored secrets of a team: names, versions and uses, never values. */
export function SecretsPage(): ReactNode {
  const { team } = page.useParams()
  const isEvery = team === EVERY_TEAM
  const navigate = page.useNavigate()
  const { create: isCreating } = page.useSearch()
  const setCreating = (create: boolean): void => void navigate({ search: create ? { create } : {}, replace: true })
  const secrets = useInfiniteQuery(page.useLoaderData())
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
            <CopyAs {...listCopy('/v1/secrets', ['secret', 'list'], [['team_path', '--team', teamOrAny(team)]])} />
          </>
        }
      />
      <DataList
        label="Secrets"
        columns={COLUMNS}
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
  {
    key: 'name',
    header: 'Name',
    isPlain: true,
    cell: ({ id, team_path, name }) => (
      <RowLink to="/secrets/$id" params={{ id }}>
        {`${team_path}/${name}`}
      </RowLink>
    ),
  },
  { key: 'environments', header: 'Environments', cell: ({ environments }) => environments.join(', ') || 'all' },
  {
    key: 'versions',
    header: 'Versions',
    cell: (secret) => <SecretVersions secret={secret} />,
  },
  { key: 'used', header: 'Last used', cell: ({ last_used_at }) => <Instant at={last_used_at} /> },
  { key: 'updated', header: 'Stored', cell: ({ updated_at }) => <Instant at={updated_at} /> },
  {
    key: 'actions',
    header: 'Actions',
    isPlain: true,
    cell: (secret) => <SecretActions secret={secret} variant="subtle" />,
  },
]
