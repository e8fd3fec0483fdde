import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { absentToken, findManagedToken } from './find-managed-token.ts'

/**
 * The caller that a request with this token would have: to show what it may do. For whoever may revoke the token. Throws
 * not_found (404) for one that is not there, not valid, or not for the asker to see.
 */
export async function findTokenCaller(means: Means, asker: Caller, tokenId: string): Promise<Caller> {
  const { row } = await findManagedToken(means, asker, tokenId)
  const { id, name, owner, limits, expiresAt } = row
  const isExpired = expiresAt !== null && expiresAt <= means.clock.now()
  const caller = isExpired
    ? undefined
    : await means.keeper.findSubject(owner, { id, name, ...(limits ? { limits } : {}) })
  if (!caller) throw absentToken()
  return caller
}
