import type { PipelineVersionQuery } from '@signalbox/contracts/pipelines'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import * as store from '../store/index.ts'
import { getVisiblePipeline } from './find-pipeline.ts'

const DEFAULT_LIMIT = 50

export async function listVersions(
  kit: Kit,
  caller: Caller,
  idOrIdentifier: string,
  query: PipelineVersionQuery,
): Promise<Page<store.VersionRow>> {
  const db = kit.database.kysely
  const pipeline = await getVisiblePipeline(db, caller, idOrIdentifier)
  const limit = query.limit ?? DEFAULT_LIMIT
  const before = readCursor(query.cursor)
  return toPage(await store.listVersions(db, { pipelineId: pipeline.id, before, limit: limit + 1 }), limit)
}

export async function getVersion(
  kit: Kit,
  caller: Caller,
  idOrIdentifier: string,
  version: number,
): Promise<store.VersionRow & { readonly document: string }> {
  const pipeline = await getVisiblePipeline(kit.database.kysely, caller, idOrIdentifier)
  const row = await store.findVersion(kit.database.kysely, pipeline.id, version)
  if (row) return row
  throw platformProblem(
    'not_found',
    `${pipeline.identifier} has no version ${version}: its latest is ${pipeline.version}.`,
  )
}
