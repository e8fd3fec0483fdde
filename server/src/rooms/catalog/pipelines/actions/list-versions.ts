import type { PipelineVersionQuery } from '@signalbox/contracts/pipelines'
import { type Caller, type Page, pageOf } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'
import { getVisiblePipeline } from './find-pipeline.ts'

/** Versions of `pipeline` (id or identifier), newest first. */
export async function listVersions(
  means: Means,
  caller: Caller,
  query: PipelineVersionQuery & { readonly pipeline: string },
): Promise<Page<store.VersionRow>> {
  const { id: pipelineId } = await getVisiblePipeline(means, caller, query.pipeline)
  return pageOf(query, (window) => store.listVersions(means.database.kysely, { pipelineId, ...window }))
}

export async function getVersion(
  means: Means,
  caller: Caller,
  input: { readonly pipeline: string; readonly version: number },
): Promise<store.VersionRow & { readonly document: string }> {
  const pipeline = await getVisiblePipeline(means, caller, input.pipeline)
  const row = await store.findVersion(means.database.kysely, pipeline.id, input.version)
  if (row) return row
  const detail = `${pipeline.identifier} has no version ${input.version}: its latest is ${pipeline.version}.`
  throw platformProblem('not_found', detail)
}
