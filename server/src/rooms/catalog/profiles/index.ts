import type { Queryable } from '#platform/database'
import { type Doors, defineRoom } from '#platform/room'
import {
  findResolvedProfile,
  type ProfileResolution,
  type ResolvedProfile,
  resolveProfile,
} from './actions/resolve-profile.ts'
import { profileProblem } from './errors.ts'
import type { Means } from './means.ts'
import { profileRoutes } from './routes.ts'
import { searchProfiles } from './store.ts'

export type { ProfileResolution, ResolvedProfile } from './actions/resolve-profile.ts'
export type { Requirement } from './rules.ts'

export interface Profiles {
  /**
   * The profile that a pipeline of `forTeamPath` means by `name`, or a sentence that says why there is none. A name is
   * `node24` or `acme/web/node24`; no name means the default.
   */
  resolve(db: Queryable, name: string | null | undefined, forTeamPath: string): Promise<ProfileResolution>
  /** The profile of this id as it is now; null is the default. Undefined when it was deleted. */
  find(db: Queryable, profileId: string | null): Promise<ResolvedProfile | undefined>
}

export const profiles = defineRoom<Profiles, Doors<Means>>({
  name: 'catalog/profiles',
  open: (kit, needs) => ({
    door: { resolve: resolveProfile, find: findResolvedProfile },
    routes: profileRoutes({ ...kit, ...needs }),
    searches: [
      {
        kind: 'profile',
        find: (caller, { within = '/', ...wish }) => {
          const place = { prefixes: caller.prefixes('profile.read'), within: [within] }
          return searchProfiles(kit.database.kysely, place, wish)
        },
      },
    ],
    problems: [profileProblem],
  }),
})
