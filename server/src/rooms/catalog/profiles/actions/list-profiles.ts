import type { ProfileQuery } from '@signalbox/contracts/profiles'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import type { Kit } from '#platform/room'
import { lineOf, teamsAbove } from '../rules.ts'
import * as store from '../store.ts'

const DEFAULT_LIMIT = 50

/** Profiles that the caller may see; with `team_path` those of them that this team may use. */
export async function listProfiles(kit: Kit, caller: Caller, query: ProfileQuery): Promise<Page<store.ProfileRow>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const prefixes = caller.prefixes('profile.read')
  const rows = await store.listProfiles(kit.database.kysely, {
    prefixes,
    teams: teamsAbove(prefixes),
    only: query.team_path === undefined ? undefined : lineOf(query.team_path),
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}
