import { prefixesOf } from '#platform/http'
import type { Search } from '#platform/room'
import type { Means } from '../means.ts'
import * as store from '../store/search-subjects.ts'
import { maySeeUsers } from './read-users.ts'

/** Users and groups are of no team: whoever asks for those of a team finds none. Everybody finds themselves. */
export function subjectSearches({ database: { kysely: db } }: Means): Search[] {
  return [
    {
      kind: 'user',
      async find(caller, wish) {
        if (wish.within !== undefined) return []
        if (maySeeUsers(caller)) return store.searchUsers(db, undefined, wish)
        return caller.kind === 'user' ? store.searchUsers(db, caller.id, wish) : []
      },
    },
    {
      kind: 'group',
      find: async (caller, wish) =>
        wish.within === undefined && maySeeUsers(caller) ? store.searchGroups(db, wish) : [],
    },
    {
      kind: 'service_account',
      find: (caller, wish) =>
        store.searchServiceAccounts(db, prefixesOf(caller, 'service_account.read', wish.within), wish),
    },
  ]
}
