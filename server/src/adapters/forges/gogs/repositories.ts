import { listBranches } from '../gitea/repositories.ts'
import type { ForgeConnection, ForgeRepositories } from '../port.ts'

export const repositories: ForgeRepositories = {
  listBranches(connection, repository) {
    return listBranches(connection, repository, callOf(connection))
  },

  async listOpenPulls() {
    return { outcome: 'failed', reason: 'Gogs has no API that tells the commits of pull requests.', retry: false }
  },

  async findPullRequest() {
    return { outcome: 'failed', reason: 'Gogs has no API that tells the commit of a pull request.', retry: false }
  },

  // Gogs tells who is a collaborator, but not whether with more than read access.
  findPermission: null,
}

/** Gogs takes access tokens under its own scheme only: of `user:token`, as Git wants it, the user is left out. */
export function callOf({ baseUrl, token }: ForgeConnection) {
  const headers = token === undefined ? {} : { authorization: `token ${token.slice(token.indexOf(':') + 1)}` }
  return { apiUrl: `${baseUrl}/api/v1`, headers }
}
