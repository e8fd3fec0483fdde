import { Modal } from '@mantine/core'
import { installationRoutes } from '@signalbox/contracts/git-apps/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../client/index.ts'
import { DataList, EmptyState, ForeignText } from '../../components/index.ts'
import { type Installation, nameOfInstallation } from './git-app.ts'

interface InstallationRepositoriesProps {
  readonly installation: Installation
  readonly onClose: () => void
}

/** The repositories of an installation, as the provider has them now. */
export function InstallationRepositories({ installation, onClose }: InstallationRepositoriesProps): ReactNode {
  const params = { provider: installation.provider, installationID: installation.installation_id }
  const repositories = useQuery({
    ...read(installationRoutes.listInstallationRepositories, { params }),
    retry: false,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Repositories of ${nameOfInstallation(installation)}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <DataList
        label="Repositories of the installation"
        items={repositories.data}
        keyOf={({ full_name }) => full_name}
        columns={[
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
        ]}
        error={repositories.error}
        onRetry={() => void repositories.refetch()}
        empty={<EmptyState title="No repository">Who manages the account chooses them at the provider.</EmptyState>}
      />
    </Modal>
  )
}
