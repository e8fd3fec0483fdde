import type { ProfileQuery } from '@signalbox/contracts/profiles'
import type { Queryable } from '#platform/database'
import { type Caller, type Page, pageOf, requireVisibleFromBelow } from '#platform/http'
import { isUuid } from '#platform/ids'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { lineOf, splitProfileName } from '../rules.ts'
import * as store from '../store.ts'

/**
 * By id or identifier, for a caller who may see profiles of its team, or of a team below it, which may use it. 404 when it
 * does not exist or the caller may not see it.
 */
export async function getVisibleProfile(
  means: Means,
  caller: Caller,
  idOrIdentifier: string,
): Promise<store.ProfileRow> {
  const found = await findProfile(means.database.kysely, idOrIdentifier)
  return requireVisibleFromBelow(caller, 'profile.read', found, () => unknownProfile(idOrIdentifier))
}

export function unknownProfile(idOrIdentifier: string): Problem {
  return platformProblem('not_found', `There is no profile ${idOrIdentifier} that you may see.`)
}

async function findProfile(db: Queryable, idOrIdentifier: string): Promise<store.ProfileRow | undefined> {
  if (isUuid(idOrIdentifier)) return store.findProfileById(db, idOrIdentifier)
  const { teamPath, name } = splitProfileName(idOrIdentifier)
  return teamPath === undefined ? undefined : store.findNearestProfile(db, [teamPath], name)
}

/** Profiles that the caller may see; with `team_path` those of them that this team may use. */
export function listProfiles(means: Means, caller: Caller, query: ProfileQuery): Promise<Page<store.ProfileRow>> {
  const prefixes = caller.prefixes('profile.read')
  const only = query.team_path === undefined ? undefined : lineOf(query.team_path)
  return pageOf(query, (window) => store.listProfiles(means.database.kysely, { ...window, prefixes, only }))
}
