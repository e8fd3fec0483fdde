import type { CallBase } from '../api-client.ts'
import type { ForgeConnection } from '../port.ts'

/**
 * The parts that all calls about a project share. A user's name before the token (`oauth2:glpat-...`, as Git wants it)
 * is left out: the API takes access tokens and OAuth tokens alone.
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
