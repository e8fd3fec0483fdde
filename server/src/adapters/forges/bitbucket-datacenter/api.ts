import type { ForgeCall } from '../api-client.ts'
import { basicOrBearer } from '../api-credentials.ts'
import type { ForgeConnection } from '../port.ts'

/** A call about a repository, "KEY/slug" or "~user/slug"; `path` goes behind its name. */
export function callOf({ token }: ForgeConnection, repository: string, path: string): ForgeCall {
  const [key = '', slug = ''] = repository.split('/').map(encodeURIComponent)
  return { headers: basicOrBearer(token), path: `/rest/api/latest/projects/${key}/repos/${slug}${path}` }
}
