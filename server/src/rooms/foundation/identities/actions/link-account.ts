import type { SignInError } from '@signalbox/contracts/identities'
import { readCookie } from '#platform/http'
import type { Means } from '../means.ts'
import { meetsRequired } from '../rules/claims.ts'
import type { Transaction } from '../rules/transaction.ts'
import * as store from '../store.ts'
import { type ProvedAccount, recordIdentity } from './record-identity.ts'

/** Links the account to the user who went to the provider; answers why not. The session that went must still last. */
export async function linkAccount(
  means: Means,
  { provider, account, client }: ProvedAccount,
  link: NonNullable<Transaction['link']>,
): Promise<SignInError | undefined> {
  const { address, requestId, headers } = client
  const { cookie } = headers
  const secret = readCookie(typeof cookie === 'string' ? cookie : undefined, means.browsers.cookieName)
  const caller =
    secret === undefined
      ? undefined
      : await means.sessions.authenticator.authenticate({ kind: 'session', secret }, address)
  if (caller?.sessionId !== link.sessionId || caller.id !== link.userId) return 'expired'
  if (!meetsRequired(provider.requiredClaims, account.claims)) return 'account_refused'
  const { userId } = link
  return means.access.changeAccess(async (tx) => {
    const known = await store.findByAccount(tx, account)
    if (known) return known.userId === userId ? undefined : 'account_taken'
    await recordIdentity(means, tx, { caller, address, requestId }, { userId, provider: provider.id, account })
    return undefined
  })
}
