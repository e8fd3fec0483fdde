import { runRoutes } from '@signalbox/contracts/runs/routes'
import { read, readPages } from '../../client/index.ts'
import { teamQuery } from '../../shell/index.ts'
import { queryOf, type RunFilters } from './run-filters.ts'

// What the pages read, so that reading can begin while their code is loaded.

/**
 * What is shown is kept current by events: a second reading of all pages would move the rows. Rows are compared by
 * `patchRuns`; by their places, each would be another one once a new run stands above them.
 */
export function runsQuery(team: string, filters: RunFilters) {
  const query = { ...teamQuery(team), ...queryOf(filters) }
  return { ...readPages(runRoutes.listRuns, { query }), staleTime: Number.POSITIVE_INFINITY, structuralSharing: false }
}

export function runQuery(id: string) {
  return read(runRoutes.getRun, { params: { id } })
}
