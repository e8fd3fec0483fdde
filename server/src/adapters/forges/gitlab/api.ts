import type { CallBase } from '../api-client.ts'
import type { ForgeConnection } from '../port.ts'

/**
 * What every call about a project has in common. A user's name before the token (`oauth2:glpat-...`, as Git wants it) is
 * left out: the API takes access tokens of every kind, and OAuth tokens, alone.
 */
export function callOf(connection: ForgeConnection): CallBase {
  const token = connection.token?.slice(connection.token.indexOf(':') + 1)
  return {
    apiUrl: `${connection.baseUrl}/api/v4`,
    headers: token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` },
  }
}

/** A project by its full name, which GitLab takes as one segment: group%2Fsubgroup%2Fname. */
export function projectPath(repository: string): string {
  return `/projects/${encodeURIComponent(repository)}`
}
