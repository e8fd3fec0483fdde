import { Button, SegmentedControl } from '@mantine/core'
import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { installationRoutes } from '@signalbox/contracts/git-apps/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { itemsOf, moreOf, readPages } from '../../client/index.ts'
import {
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  PageButton,
  PageHeader,
  StatusBadge,
} from '../../components/index.ts'
import { EVERY_TEAM } from '../../shell/index.ts'
import { Branches } from './branches.tsx'
import type { ConnectedRepository } from './git-app.ts'
import styles from './git-apps-page.module.css'
import { PROVIDER_CHOICES, PROVIDERS, readProvider } from './providers.ts'

const page = getRouteApi('/shell/t/$team/repositories')

/** The repositories that sources of a team may use through installations of apps. */
export function RepositoriesPage(): ReactNode {
  const { team } = page.useParams()
  const { provider = 'github' } = page.useSearch()
  const navigate = page.useNavigate()
  const query = new URLSearchParams({ team_path: team })
  return (
    <>
      <PageHeader
        title="Repositories"
        sentence="What sources of the team may use through installations of Git apps."
        actions={
          <>
            <PageButton to="/t/$team/sources" params={{ team }} variant="default">
              Sources
            </PageButton>
            {team !== EVERY_TEAM && <CopyAs path={`/v1/git-apps/${provider}/repositories?${query}`} />}
          </>
        }
      />
      <SegmentedControl
        className={styles['choice']}
        aria-label="Provider"
        size="xs"
        data={PROVIDER_CHOICES}
        value={provider}
        onChange={(chosen) => void navigate({ search: { provider: readProvider(chosen) ?? 'github' } })}
      />
      {team === EVERY_TEAM ? (
        <EmptyState title="Choose a team">Which repositories may be used is a question of one team.</EmptyState>
      ) : (
        <Repositories key={`${provider} ${team}`} provider={provider} team={team} />
      )}
    </>
  )
}

interface RepositoriesProps {
  readonly provider: GitAppProvider
  readonly team: string
}

function Repositories({ provider, team }: RepositoriesProps): ReactNode {
  const repositories = useInfiniteQuery(
    readPages(installationRoutes.listConnectedRepositories, { params: { provider }, query: { team_path: team } }),
  )
  const [opened, setOpened] = useState<string>()
  const columns = useMemo(() => columnsOf(setOpened), [])
  return (
    <>
      <DataList
        label="Repositories"
        columns={columns}
        items={repositories.data && itemsOf(repositories.data)}
        keyOf={({ full_name }) => full_name}
        {...moreOf(repositories)}
        empty={
          <EmptyState title="No connected repository">
            No installation at {PROVIDERS[provider].name} is given to {team} or a team above it. Who may change Git apps
            gives one, on the page Git apps. A source can have a secret of its own instead.
          </EmptyState>
        }
      />
      {opened !== undefined && <Branches repository={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function columnsOf(onOpen: (repository: string) => void): readonly Column<ConnectedRepository>[] {
  return [
    { key: 'status', header: 'Installation', isPlain: true, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'name',
      header: 'Repository',
      isPlain: true,
      cell: ({ full_name }) => <ForeignText>{full_name}</ForeignText>,
    },
    {
      key: 'branch',
      header: 'Default branch',
      cell: ({ default_branch }) => <ForeignText>{default_branch}</ForeignText>,
    },
    { key: 'private', header: 'Seen by', cell: ({ private: isPrivate }) => (isPrivate ? 'members' : 'anybody') },
    {
      key: 'account',
      header: 'Through',
      cell: ({ account, installation_id }) => <ForeignText>{account ?? installation_id}</ForeignText>,
    },
    {
      key: 'actions',
      header: 'Actions',
      isPlain: true,
      cell: ({ full_name }) => (
        <Button variant="subtle" onClick={() => onOpen(full_name)}>
          Branches
        </Button>
      ),
    },
  ]
}
