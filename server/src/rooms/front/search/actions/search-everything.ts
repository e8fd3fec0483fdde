import type { SearchHit, SearchQuery } from '@signalbox/contracts/search'
import type { Caller } from '#platform/http'
import type { SearchWish } from '#platform/room'
import type { Means } from '../means.ts'
import { mergeFound, readKinds, readWish } from '../rules/index.ts'
import { askRooms } from './ask-rooms.ts'

const DEFAULT_LIMIT = 20

/** What the caller may see that is called so, of all rooms. A team that does not exist finds nothing. */
export async function searchEverything(means: Means, caller: Caller, query: SearchQuery): Promise<SearchHit[]> {
  const { limit = DEFAULT_LIMIT, teamId } = query
  const kinds = readKinds(query.kinds)
  const typed = readWish(query.q, limit, kinds.length)
  const team = teamId === undefined ? undefined : await means.teams.findTeam(means.database.kysely, teamId)
  if (!typed || (teamId !== undefined && !team)) return []
  const wish: SearchWish = { ...typed, within: team?.path }
  const asked = means.searches.filter(({ kind }) => kinds.includes(kind))
  const found = await askRooms(asked, async ({ kind, find }) =>
    (await find(caller, wish)).map((each) => ({ ...each, kind })),
  )
  return mergeFound(found, limit).map(({ kind, id, title, teamPath, detail }) => ({
    kind,
    id,
    title,
    where: teamPath,
    detail,
  }))
}
