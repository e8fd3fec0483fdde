import type { Queryable } from '#platform/database'
import { type Caller, requireVisible } from '#platform/http'
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
