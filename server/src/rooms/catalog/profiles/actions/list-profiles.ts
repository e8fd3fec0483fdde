import type { ProfileQuery } from '@signalbox/contracts/profiles'
import { type Caller, type Page, pageOf } from '#platform/http'
import type { Means } from '../means.ts'
import { lineOf } from '../rules.ts'
import * as store from '../store.ts'

/** Profiles that the caller may see; with `team_path` those of them that this team may use. */
export function listProfiles(means: Means, caller: Caller, query: ProfileQuery): Promise<Page<store.ProfileRow>> {
  const prefixes = caller.prefixes('profile.read')
  const only = query.team_path === undefined ? undefined : lineOf(query.team_path)
  return pageOf(query, (window) => store.listProfiles(means.database.kysely, { ...window, prefixes, only }))
}
