import { encodeSegments, type ForgeCall } from '../api-client.ts'
import { basicOrBearer } from '../api-credentials.ts'
import type { ForgeConnection } from '../port.ts'

/** The API has a host of its own; behind any other address than Bitbucket's it is below that address. */
export function apiUrl({ baseUrl }: Pick<ForgeConnection, 'baseUrl'>): string {
  return baseUrl === 'https://bitbucket.org' ? 'https://api.bitbucket.org/2.0' : `${baseUrl}/2.0`
}

/** A call about a repository; `path` goes behind its name. */
export function callOf(connection: ForgeConnection, repository: string, path: string): ForgeCall {
  return {
    apiUrl: apiUrl(connection),
    headers: basicOrBearer(connection.token),
    path: `/repositories/${encodeSegments(repository)}${path}`,
  }
}
