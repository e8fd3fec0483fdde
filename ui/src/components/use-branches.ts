import { branchRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import { read } from '../client/index.ts'
import { useMayDo } from '../client/session.ts'
import { readRepositoryName } from './repository-name.ts'

/**
 * The branches of a repository, as its provider has them now; none where it is not connected. Of several repositories, and of
 * patterns, nobody can tell.
 */
export function useBranches(repositories: readonly string[]): readonly string[] {
  const maySee = useMayDo()('webhook_source.read', undefined)
  const [only = ''] = repositories.length === 1 && maySee ? repositories : []
  const repository = readRepositoryName(only)
  const params = { repoOwner: repository?.owner ?? '', repoName: repository?.name ?? '' }
  const branches = useQuery({
    ...read(branchRoutes.listBranches, { params }),
    enabled: repository !== undefined,
    retry: false,
  })
  return repository === undefined ? [] : (branches.data?.map(({ name }) => name) ?? [])
}
