import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import { type GitAccount, issuersOf } from '../rules/git-account.ts'
import * as store from '../store.ts'

/** The user to whom the account is linked; undefined for none, and where two ways of linking name two users. */
export async function findGitUser(means: Means, db: Queryable, account: GitAccount): Promise<string | undefined> {
  const { accountId: subject } = account
  const users = new Set<string>()
  for (const issuer of issuersOf([...means.providers.values()], account)) {
    const identity = await store.findByAccount(db, { issuer, subject })
    if (identity) users.add(identity.userId)
  }
  const [only] = users
  return users.size === 1 ? only : undefined
}
