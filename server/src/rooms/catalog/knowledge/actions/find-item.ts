import type { KnowledgeItem, KnowledgeQuery, KnowledgeSummary } from '@signalbox/contracts/knowledge'
import type { Queryable } from '#platform/database'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import { isUuid } from '#platform/ids'
import { type Problem, platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import type { KnowledgeMeans } from '../index.ts'
import { type Item, type ItemHead, identifierOf, PLATFORM, splitIdentifier, teamsAbove } from '../rules/index.ts'
import * as store from '../store/index.ts'

const DEFAULT_LIMIT = 50

/** What lies at a team is seen by who may see that team's knowledge or that of a team below it, which it binds. */
export function maySee(caller: Caller, teamPath: string): boolean {
  return caller.can('knowledge.read', teamPath) || teamsAbove(caller.prefixes('knowledge.read')).includes(teamPath)
}

/** By id or identifier; 404 when it does not exist or the caller may not see it. */
export async function getVisibleItem(db: Queryable, caller: Caller, idOrIdentifier: string): Promise<Item> {
  const item = await findItem(db, idOrIdentifier)
  // Asked in any case, so that the answer does not tell whether the item exists.
  if (!maySee(caller, item?.teamPath ?? PLATFORM) || !item) throw unknownItem(idOrIdentifier)
  return item
}

export function unknownItem(idOrIdentifier: string): Problem {
  return platformProblem('not_found', `There is no knowledge item ${idOrIdentifier} that you may see.`)
}

/** Newest first. With `scope` those that apply there. Throws the 503 of a database that cannot be reached. */
export async function listItems(
  kit: Kit,
  means: KnowledgeMeans,
  caller: Caller,
  query: KnowledgeQuery,
): Promise<Page<ItemHead>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const prefixes = caller.prefixes('knowledge.read')
  const rows = await store.listItems(kit.database.kysely, {
    prefixes,
    teams: teamsAbove(prefixes),
    teamPath: query.team_path,
    kind: query.kind,
    ids: query.scope === undefined ? undefined : (await means.held()).itemsOn(query.scope),
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}

export function presentSummary(item: ItemHead): KnowledgeSummary {
  return {
    id: item.id,
    team_path: item.teamPath,
    name: item.name,
    identifier: identifierOf(item),
    kind: item.kind,
    scope: item.scope,
    rule: item.rule,
    at: item.at,
    time_zone: item.timeZone,
    message: item.message,
    revision: item.revision,
    revision_id: item.revisionId,
    saved_by: item.savedBy,
    created_at: toWireTime(item.createdAt),
    updated_at: toWireTime(item.updatedAt),
  }
}

/** To wire; also what audit records show before and after. */
export function presentItem(item: Item): KnowledgeItem {
  return { ...presentSummary(item), text: item.text }
}

async function findItem(db: Queryable, idOrIdentifier: string): Promise<Item | undefined> {
  if (isUuid(idOrIdentifier)) return store.findItem(db, { id: idOrIdentifier })
  const place = splitIdentifier(idOrIdentifier)
  return place && store.findItem(db, place)
}
