import type { RunQuery } from '@signalbox/contracts/runs'
import { type Caller, type Page, pageOf, prefixesWithin } from '#platform/http'
import type { Means } from '../means.ts'
import { listRuns } from '../store/list-runs.ts'
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
  const { branch, status, commit, scope, repository } = query
  const [since, until] = [query.since, query.until].map((time) => (time === undefined ? undefined : new Date(time)))
  const asked = { branch, status, pipelineId, commit, scope, repository, since, until, prefixes }
  return pageOf(query, (window) => listRuns(db, { ...asked, ...window }))
}
