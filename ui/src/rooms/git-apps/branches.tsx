import { Code, Modal } from '@mantine/core'
import { branchRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../client/index.ts'
import { DataList, EmptyState, ForeignText } from '../../components/index.ts'
import { readRepositoryName } from '../../components/repository-name.ts'

interface BranchesProps {
  readonly repository: string
  readonly onClose: () => void
}

/** The branches of a repository: the provider is asked once somebody wants to know. */
export function Branches({ repository, onClose }: BranchesProps): ReactNode {
  const name = readRepositoryName(repository)
  const params = { repoOwner: name?.owner ?? '', repoName: name?.name ?? '' }
  const branches = useQuery({
    ...read(branchRoutes.listBranches, { params }),
    retry: false,
    enabled: name !== undefined,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Branches of ${repository}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <DataList
        label="Branches"
        items={branches.data}
        keyOf={(branch) => branch.name}
        columns={[
          { key: 'name', header: 'Branch', isPlain: true, cell: (branch) => <ForeignText>{branch.name}</ForeignText> },
          { key: 'commit', header: 'Commit', cell: ({ commit_sha }) => <Code>{commit_sha.slice(0, 12)}</Code> },
        ]}
        error={branches.error}
        onRetry={() => void branches.refetch()}
        empty={<EmptyState title="No branch">Nothing was pushed to the repository yet.</EmptyState>}
      />
    </Modal>
  )
}
