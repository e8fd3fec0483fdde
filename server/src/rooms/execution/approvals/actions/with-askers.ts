import type { Queryable } from '#platform/database'
import type { GitAccount } from '#rooms/foundation/identities'
import type { Means } from '../means.ts'
import type { Request } from '../rules/index.ts'

/**
 * The requests with the users who asked at a Git provider for their runs, by the links of accounts as they were then
 * and as they are now. Whoever is linked later must not decide about that very run, nor who has unlinked their account.
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
  const findUser = findingEachOnce(means, db)
  const asked: Request[] = []
  for (const request of requests) {
    const users = new Set<string>()
    for (const asker of askers.get(request.runId) ?? []) {
      if (asker.userId !== undefined) users.add(asker.userId)
      const linked = await findUser(asker)
      if (linked !== undefined) users.add(linked)
    }
    asked.push({ ...request, askedBy: [...users] })
  }
  return asked
}

type FindUser = (account: GitAccount) => Promise<string | undefined>

/** Looks for each account once: one person may have asked for many runs. */
function findingEachOnce({ identities }: Means, db: Queryable): FindUser {
  const found = new Map<string, Promise<string | undefined>>()
  return ({ provider, baseUrl, accountId }) => {
    const key = JSON.stringify([provider, baseUrl, accountId])
    const user = found.get(key) ?? identities.findGitUser(db, { provider, baseUrl, accountId })
    found.set(key, user)
    return user
  }
}
