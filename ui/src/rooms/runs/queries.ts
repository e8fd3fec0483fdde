import { runRoutes } from '@signalbox/contracts/runs/routes'
import { read, readPages } from '../../client/index.ts'
import { teamQuery } from '../../shell/index.ts'
import { queryOf, type RunFilters } from './run-filters.ts'

// What the pages read, so that reading can begin while their code is loaded.

/** What is shown is kept current by events: a second reading of all pages would move the rows. */
export function runsQuery(team: string, filters: RunFilters) {
  const query = { ...teamQuery(team), ...queryOf(filters) }
  return { ...readPages(runRoutes.listRuns, { query }), staleTime: Number.POSITIVE_INFINITY }
}

export function runQuery(id: string) {
  return read(runRoutes.getRun, { params: { id } })
}
