import type { SignInError } from '@signalbox/contracts/identities'
import type { Tx } from '#platform/database'
import { type RequestOrigin, systemCaller } from '#platform/http'
import { Problem } from '#platform/problems'
import type { Means } from '../means.ts'
import { meetsRequired, membershipsOf, profileOf } from '../rules/claims.ts'
import * as store from '../store.ts'
import { type ProvedAccount, recordIdentity } from './record-identity.ts'

/** Signs the account's user in; answers the cookie of the session, or why not. */
export async function admitAccount(
  means: Means,
  proved: ProvedAccount,
): Promise<{ readonly setCookie: string } | SignInError> {
  const { provider, account, client } = proved
  if (!meetsRequired(provider.requiredClaims, account.claims)) return 'account_refused'
  const origin = originOf(proved)
  const identity = await findOrMake(means, origin, proved)
  if (!identity) return 'account_unknown'
  await followGroups(means, origin, { ...proved, userId: identity.userId })
  const { userId } = identity
  return means.access.changeAccess(async (tx) => {
    // Unlinked meanwhile.
    if (!(await store.noteSignIn(tx, identity.id, means.clock.now()))) return 'account_unknown'
    const opened = await means.sessions.openSession(tx, { userId, method: 'openid', provider: provider.id, client })
    return opened ?? 'account_disabled'
  })
}

/** The provider acts, not the person: they choose neither the login nor the groups. */
function originOf({ provider, client }: ProvedAccount): RequestOrigin {
  const { address, requestId } = client
  return { caller: systemCaller(`openid:${provider.id}`), address, requestId }
}

async function findOrMake(
  means: Means,
  origin: RequestOrigin,
  proved: ProvedAccount,
): Promise<store.IdentityRow | undefined> {
  const { provider, account } = proved
  const known = await store.findByAccount(means.database.kysely, account)
  if (known || !provider.createUsers) return known
  // Changes of access take turns, so of two first sign-ins at once the second finds what the first has made.
  return means.access.changeAccess(
    async (tx) => (await store.findByAccount(tx, account)) ?? make(means, tx, origin, proved),
  )
}

async function make(
  means: Means,
  tx: Tx,
  origin: RequestOrigin,
  { provider, account }: ProvedAccount,
): Promise<store.IdentityRow> {
  const { id } = await means.access.makeAccountUser(tx, origin, profileOf(account.claims))
  return recordIdentity(means, tx, origin, { userId: id, provider: provider.id, account })
}

/** In a transaction of its own, before the session: the first request has the rights of today. */
async function followGroups(
  means: Means,
  origin: RequestOrigin,
  { provider, account, userId }: ProvedAccount & { readonly userId: string },
): Promise<void> {
  const groups = membershipsOf(provider, account.claims)
  if (groups.size === 0) return
  try {
    const missing = await means.access.setMemberships(origin, { userId, groups })
    if (missing.length > 0) {
      means.log.warn({ provider: provider.id, groups: missing }, 'a provider is mapped to groups that do not exist')
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'access.last_administrator') throw error
    means.log.warn({ provider: provider.id, userId }, 'the groups of the last administrator stay as they are')
  }
}
