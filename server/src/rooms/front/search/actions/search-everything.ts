import type { SearchHit, SearchKind, SearchQuery } from '@signalbox/contracts/search'
import type { FoundByText } from '#platform/database'
import type { Caller } from '#platform/http'
import type { SearchWish } from '#platform/room'
import type { Means } from '../means.ts'
import { mergeFound, readKinds, readWish } from '../rules.ts'

const DEFAULT_LIMIT = 20
const AT_ONCE = 3

/**
 * What the caller may see that is called so, of all rooms. A few rooms are asked at once: people type faster than they read,
 * and a search must not take every connection. A team that does not exist finds nothing.
 */
export async function searchEverything(means: Means, caller: Caller, query: SearchQuery): Promise<SearchHit[]> {
  const { limit = DEFAULT_LIMIT, teamId } = query
  const kinds = readKinds(query.kinds)
  const typed = readWish(query.q, limit, kinds.length)
  const team = teamId === undefined ? undefined : await means.teams.findTeam(means.database.kysely, teamId)
  if (!typed || (teamId !== undefined && !team)) return []
  const wish: SearchWish = { ...typed, within: team?.path }
  const asked = means.searches.filter(({ kind }) => kinds.includes(kind))
  const found: (FoundByText & { readonly kind: SearchKind })[] = []
  const unasked = asked.values()
  const askSome = async (): Promise<void> => {
    for (const { kind, find } of unasked) {
      for (const each of await find(caller, wish)) found.push({ ...each, kind })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askSome))
  return mergeFound(found, limit).map(({ kind, id, title, teamPath, detail }) => ({
    kind,
    id,
    title,
    where: teamPath,
    detail,
  }))
}
