import type { PipelineQuery } from '@signalbox/contracts/pipelines'
import type { Queryable } from '#platform/database'
import { type Caller, type Page, pageOf, requireVisible } from '#platform/http'
import { isUuid } from '#platform/ids'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'

/** By id or identifier. */
export async function findPipeline(db: Queryable, idOrIdentifier: string): Promise<store.PipelineRow | undefined> {
  return store.findPipeline(db, keyOf(idOrIdentifier))
}

/** 404 when it does not exist or the caller may not see it: the two look alike. */
export async function getVisiblePipeline(
  means: Means,
  caller: Caller,
  idOrIdentifier: string,
): Promise<store.PipelineRow> {
  const found = await store.findPipeline(means.database.kysely, keyOf(idOrIdentifier))
  return requireVisible(caller, 'pipeline.read', found, () => unknownPipeline(idOrIdentifier))
}

/** As getVisiblePipeline, with the document of its current version. */
export async function getVisibleCurrent(
  means: Means,
  caller: Caller,
  idOrIdentifier: string,
): Promise<store.CurrentPipeline> {
  const found = await store.findCurrent(means.database.kysely, keyOf(idOrIdentifier))
  return requireVisible(caller, 'pipeline.read', found, () => unknownPipeline(idOrIdentifier))
}

export function unknownPipeline(idOrIdentifier: string): Problem {
  return platformProblem('not_found', `There is no pipeline ${idOrIdentifier} that you may see.`)
}

function keyOf(idOrIdentifier: string): store.PipelineKey {
  return isUuid(idOrIdentifier) ? { id: idOrIdentifier } : { identifier: idOrIdentifier }
}

export interface ListedPipeline extends store.PipelineRow {
  /** The directives that name the secret; only where the list was asked for its users. */
  readonly namedAt?: readonly string[]
}

/**
 * Pipelines that the caller may see; with `team_path` those of that team and the teams below it, with `secret` those whose
 * current version names it. Their documents say so too, so it takes no right to the secret.
 */
export async function listPipelines(means: Means, caller: Caller, query: PipelineQuery): Promise<Page<ListedPipeline>> {
  const db = means.database.kysely
  const { team_path: teamPath, secret } = query
  const filter = { prefixes: caller.prefixes('pipeline.read'), teamPath, secret }
  const page = await pageOf(query, (window) => store.listPipelines(db, { ...filter, ...window }))
  if (secret === undefined) return page
  const naming = await store.listNaming(
    db,
    secret,
    page.items.map(({ id }) => id),
  )
  return { ...page, items: page.items.map((row) => ({ ...row, namedAt: naming.get(row.id) ?? [] })) }
}
