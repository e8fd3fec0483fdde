import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { isUuid } from '#platform/ids'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { splitProfileName, teamsAbove } from '../rules.ts'
import * as store from '../store.ts'

/** A profile is seen by who may see its team's or those of a team below it, which may use it. */
export function maySee(caller: Caller, teamPath: string): boolean {
  return caller.can('profile.read', teamPath) || teamsAbove(caller.prefixes('profile.read')).includes(teamPath)
}

/** By id or identifier; 404 when it does not exist or the caller may not see it. */
export async function getVisibleProfile(
  means: Means,
  caller: Caller,
  idOrIdentifier: string,
): Promise<store.ProfileRow> {
  const row = await findProfile(means.database.kysely, idOrIdentifier)
  // Asked in any case, so that the answer does not tell whether the profile exists.
  if (!maySee(caller, row?.teamPath ?? '/') || !row) throw unknownProfile(idOrIdentifier)
  return row
}

export function unknownProfile(idOrIdentifier: string): Problem {
  return platformProblem('not_found', `There is no profile ${idOrIdentifier} that you may see.`)
}

async function findProfile(db: Queryable, idOrIdentifier: string): Promise<store.ProfileRow | undefined> {
  if (isUuid(idOrIdentifier)) return store.findProfileById(db, idOrIdentifier)
  const { teamPath, name } = splitProfileName(idOrIdentifier)
  return teamPath === undefined ? undefined : store.findNearestProfile(db, [teamPath], name)
}
