import type { KnowledgeItem, KnowledgeQuery, KnowledgeSummary } from '@signalbox/contracts/knowledge'
import type { Queryable } from '#platform/database'
import { type Caller, type Page, pageOf, requireVisibleFromBelow, toWire } from '#platform/http'
import { isUuid } from '#platform/ids'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { type Item, type ItemHead, identifierOf, splitIdentifier } from '../rules/index.ts'
import * as store from '../store/index.ts'

/**
 * By id or identifier, for a caller who may see the knowledge of its team, or of a team below it, which it binds. 404 when
 * it does not exist or the caller may not see it.
 */
export async function getVisibleItem(means: Means, caller: Caller, idOrIdentifier: string): Promise<Item> {
  const found = await findItem(means.database.kysely, idOrIdentifier)
  return requireVisibleFromBelow(caller, 'knowledge.read', found, () => unknownItem(idOrIdentifier))
}

export function unknownItem(idOrIdentifier: string): Problem {
  return platformProblem('not_found', `There is no knowledge item ${idOrIdentifier} that you may see.`)
}

/**
 * Newest first. With `scope` those that apply there. Throws invalid_request (400), and the 503 of a database that cannot
 * be reached.
 */
export async function listItems(means: Means, caller: Caller, query: KnowledgeQuery): Promise<Page<ItemHead>> {
  const filter: Omit<store.ItemFilter, 'before' | 'limit'> = {
    prefixes: caller.prefixes('knowledge.read'),
    teamPath: query.team_path,
    kind: query.kind,
    ids: await findApplying(means, query),
  }
  return pageOf(query, (window) => store.listItems(means.database.kysely, { ...filter, ...window }))
}

/** Undefined: nobody asked about a place. */
async function findApplying(means: Means, query: KnowledgeQuery): Promise<readonly string[] | undefined> {
  const { scope, pipeline_team: teamPath } = query
  if (scope !== undefined) return (await means.copy.get()).itemsOn(scope, teamPath)
  if (teamPath === undefined) return undefined
  const message = 'is required beside pipeline_team: items apply to a place'
  throw platformProblem('invalid_request', `scope ${message}.`, { errors: [{ field: 'scope', message }] })
}

export function presentSummary({ judgedAt: at, ...item }: ItemHead): KnowledgeSummary {
  return { ...toWire(item), identifier: identifierOf(item), at }
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
