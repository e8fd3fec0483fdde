import type { CallBase } from '../api-client.ts'
import type { ForgeConnection } from '../port.ts'

/** The API's own host for GitHub.com and for a tenant of GHE.com; a path of the server for GitHub Enterprise Server. */
export function apiUrl({ baseUrl }: Pick<ForgeConnection, 'baseUrl'>): string {
  const tenant = /^https:\/\/(github\.com|[a-z0-9-]+\.ghe\.com)$/i.exec(baseUrl)?.[1]
  return tenant === undefined ? `${baseUrl}/api/v3` : `https://api.${tenant.toLowerCase()}`
}

/**
 * The parts that all calls share. A user's name before the token (`x-access-token:ghs_...`, as Git wants it) is left
 * out: the API takes every kind of token alone.
 */
export function callOf(connection: ForgeConnection): CallBase {
  const token = connection.token?.slice(connection.token.indexOf(':') + 1)
  return {
    apiUrl: apiUrl(connection),
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
  }
}
