import type { PipelineResultsQuery, RunQuery } from '@signalbox/contracts/runs'
import { type Caller, type Page, pageOf, prefixesWithin } from '#platform/http'
import type { Means } from '../means.ts'
import { listResults, listRuns, type PipelineResultRow } from '../store/list-runs.ts'
import type { SummaryRow } from '../store/run-columns.ts'

const NOTHING: Page<SummaryRow> = { items: [], next: undefined }

/** Runs of the teams that the caller may read. A filter that names nothing the caller may see finds nothing. */
export async function listVisibleRuns(means: Means, caller: Caller, query: RunQuery): Promise<Page<SummaryRow>> {
  const db = means.database.kysely
  let prefixes = caller.prefixes('run.read')
  if (query.teamId !== undefined) {
    const team = await means.teams.findTeam(db, query.teamId)
    if (!team) return NOTHING
    prefixes = prefixesWithin(prefixes, team.path)
  }
  let pipelineId: string | undefined
  if (query.pipeline !== undefined) {
    pipelineId = (await means.pipelines.find(db, query.pipeline))?.id
    if (pipelineId === undefined) return NOTHING
  }
  const [since, until] = [query.since, query.until].map((time) => (time === undefined ? undefined : new Date(time)))
  const { cause, branch, commit, repository, scope } = query
  const asked = { prefixes, pipelineId, cause, branch, commit, repository, scope, since, until }
  const ids = {
    initiatorId: query.initiator,
    pullRequest: query.pull_request,
    triggerId: query.trigger,
    scheduleId: query.schedule,
    externalTriggerId: query.external_trigger,
  }
  return pageOf(query, (window) => {
    const filter = { ...asked, ...ids, statuses: query.status, ...window }
    return means.runLists.read(JSON.stringify(filter), () => listRuns(db, filter))
  })
}

const RESULTS = 30

/** The newest visible runs of some pipelines, by pipeline. One that has none is left out, like one that is hidden. */
export async function listPipelineResults(
  means: Means,
  caller: Caller,
  { pipeline, limit = RESULTS }: PipelineResultsQuery,
): Promise<ReadonlyMap<string, readonly PipelineResultRow[]>> {
  const asked = { pipelineIds: pipeline, prefixes: caller.prefixes('run.read'), limit }
  return Map.groupBy(await listResults(means.database.kysely, asked), (row) => row.pipeline_id)
}
