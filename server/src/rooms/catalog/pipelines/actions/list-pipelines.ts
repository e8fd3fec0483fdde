import type { PipelineQuery } from '@signalbox/contracts/pipelines'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import type { Kit } from '#platform/room'
import * as store from '../store/index.ts'

const DEFAULT_LIMIT = 50

/** Pipelines that the caller may see; with `team_path` those of that team and the teams below it. */
export async function listPipelines(kit: Kit, caller: Caller, query: PipelineQuery): Promise<Page<store.PipelineRow>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const rows = await store.listPipelines(kit.database.kysely, {
    prefixes: caller.prefixes('pipeline.read'),
    teamPath: query.team_path,
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}
