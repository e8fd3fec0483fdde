import type { PipelineQuery } from '@signalbox/contracts/pipelines'
import { type Caller, type Page, pageOf } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'

/** Pipelines that the caller may see; with `team_path` those of that team and the teams below it. */
export function listPipelines(means: Means, caller: Caller, query: PipelineQuery): Promise<Page<store.PipelineRow>> {
  const filter = { prefixes: caller.prefixes('pipeline.read'), teamPath: query.team_path }
  return pageOf(query, (window) => store.listPipelines(means.database.kysely, { ...filter, ...window }))
}
