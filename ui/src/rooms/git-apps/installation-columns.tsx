import type { ReactNode } from 'react'
import {
  type Column,
  countOf,
  ForeignText,
  Instant,
  OutsideLink,
  StatusBadge,
  showInvisible,
  Why,
} from '../../components/index.ts'
import { type Installation, nameOfInstallation } from './git-app.ts'
import { InstallationActions } from './installation-actions.tsx'

/** The columns of the list of installations. */
export function installationColumns(): readonly Column<Installation>[] {
  return COLUMNS
}

const COLUMNS: readonly Column<Installation>[] = [
  {
    key: 'status',
    header: 'Status',
    isPlain: true,
    cell: ({ status, reason }) => (
      <>
        <StatusBadge status={status} />
        <Why of={status}>{reason}</Why>
      </>
    ),
  },
  { key: 'account', header: 'Account', isPlain: true, cell: (installation) => <Account installation={installation} /> },
  {
    key: 'repositories',
    header: 'Repositories',
    cell: ({ repository_selection, repository_count }) =>
      `${repository_selection === 'all' ? 'all: ' : ''}${countOf(repository_count, 'repository', 'repositories')}`,
  },
  { key: 'missing', header: 'Missing', cell: (installation) => <Missing installation={installation} /> },
  { key: 'teams', header: 'Teams', cell: (installation) => <Teams installation={installation} /> },
  { key: 'verified', header: 'Verified', cell: ({ last_verified_at }) => <Instant at={last_verified_at} /> },
  { key: 'refreshed', header: 'Read', cell: ({ refreshed_at }) => <Instant at={refreshed_at} /> },
  {
    key: 'actions',
    header: 'Actions',
    isPlain: true,
    cell: (installation) => <InstallationActions installation={installation} />,
  },
]

function Account({ installation }: { readonly installation: Installation }): ReactNode {
  const name = nameOfInstallation(installation)
  const { html_url: address } = installation
  return address === null ? (
    <ForeignText>{name}</ForeignText>
  ) : (
    <OutsideLink href={address}>{showInvisible(name)}</OutsideLink>
  )
}

/** What features lack, and which features these are. */
function Missing({ installation }: { readonly installation: Installation }): ReactNode {
  const { missing_permissions: missing } = installation
  if (missing.length === 0) return 'nothing'
  return (
    <>
      {missing.map(({ permission, access }) => `${permission}: ${access}`).join(', ')}
      <Why of="missing permissions">
        {missing.map(({ permission, access, feature }) => `${permission}: ${access} ${feature}.`).join('\n')}
      </Why>
    </>
  )
}

function Teams({ installation: { teams } }: { readonly installation: Installation }): ReactNode {
  if (teams.length === 0) return 'none'
  return (
    <>
      {teams.map(({ team_path, repositories }) => (
        <div key={team_path}>
          {team_path}: <ForeignText>{repositories.join(', ')}</ForeignText>
        </div>
      ))}
    </>
  )
}
