import { addressOfApi, addressOfPages } from '#platform/config'
import type { Queryable } from '#platform/database'
import { browserAccessOf, createAddressLimiter } from '#platform/http'
import { defineRoom } from '#platform/room'
import { findGitUser } from './actions/find-git-user.ts'
import { identityProblem } from './errors.ts'
import type { Asked, Means } from './means.ts'
import { identityRoutes } from './routes.ts'
import type { GitAccount } from './rules/git-account.ts'

/** Two for each sign-in; many people may share an address. */
const PER_MINUTE = 120

export type { GitAccount }

export interface Identities {
  /** The user whose account at a Git provider this is, by the provider's id of it. */
  findGitUser(db: Queryable, account: GitAccount): Promise<string | undefined>
}

export const identities = defineRoom<Identities, Asked>({
  name: 'foundation/identities',
  open(kit, asked) {
    const means: Means = {
      ...kit,
      ...asked,
      providers: new Map(kit.config.signInProviders.map((provider) => [provider.id, provider])),
      browsers: browserAccessOf(kit.config),
      pages: addressOfPages(kit.config),
      api: addressOfApi(kit.config),
      rate: createAddressLimiter({ perMinute: PER_MINUTE, burst: PER_MINUTE, maxKeys: 10_000, clock: kit.clock }),
    }
    return {
      door: { findGitUser: (db, account) => findGitUser(means, db, account) },
      problems: [identityProblem],
      routes: identityRoutes(means),
    }
  },
})
