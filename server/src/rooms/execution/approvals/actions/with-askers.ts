import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import type { Request } from '../rules/index.ts'

/**
 * The requests with the users who asked at a Git provider for their runs, by the links of accounts as they are now:
 * whoever asked while nobody knew them, and is linked later, must not decide about that very run.
 */
export async function withAskers(
  means: Means,
  db: Queryable,
  requests: readonly Request[],
): Promise<readonly Request[]> {
  const askers = await means.runs.listAskers(
    db,
    requests.map(({ runId }) => runId),
  )
  if (askers.size === 0) return requests
  const asked: Request[] = []
  for (const request of requests) {
    const users = new Set<string>()
    for (const account of askers.get(request.runId) ?? []) {
      const user = await means.identities.findGitUser(db, account)
      if (user !== undefined) users.add(user)
    }
    asked.push({ ...request, askedBy: [...users] })
  }
  return asked
}
