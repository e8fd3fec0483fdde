import type { RunQuery } from '@signalbox/contracts/runs'
import { type Caller, type Page, prefixesWithin, readCursor, toPage } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Teams } from '#rooms/foundation/teams'
import { listRuns, type SummaryRow } from '../store/list-runs.ts'

interface ListNeeds {
  readonly teams: Pick<Teams, 'findTeam'>
  readonly pipelines: Pick<Pipelines, 'find'>
}

const DEFAULT_LIMIT = 50
const NOTHING: Page<SummaryRow> = { items: [], next: undefined }

/** Runs of the teams that the caller may read. A filter that names nothing the caller may see finds nothing. */
export async function listVisibleRuns(
  kit: Kit,
  needs: ListNeeds,
  caller: Caller,
  query: RunQuery,
): Promise<Page<SummaryRow>> {
  const db = kit.database.kysely
  const limit = query.limit ?? DEFAULT_LIMIT
  let prefixes = caller.prefixes('run.read')
  if (query.teamId !== undefined) {
    const team = await needs.teams.findTeam(db, query.teamId)
    if (!team) return NOTHING
    prefixes = prefixesWithin(prefixes, team.path)
  }
  let pipelineId: string | undefined
  if (query.pipeline !== undefined) {
    pipelineId = (await needs.pipelines.find(db, query.pipeline))?.id
    if (pipelineId === undefined) return NOTHING
  }
  const { branch, status, commit, scope, repository } = query
  const [since, until] = [query.since, query.until].map((time) => (time === undefined ? undefined : new Date(time)))
  const before = readCursor(query.cursor)
  const asked = { branch, status, pipelineId, commit, scope, repository, since, until }
  return toPage(await listRuns(db, { ...asked, prefixes, before, limit: limit + 1 }), limit)
}
