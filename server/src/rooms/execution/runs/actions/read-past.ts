import { type Caller, prefixesWithin } from '#platform/http'
import type { Means } from '../means.ts'
import type { RunInFlight } from '../rules/run-in-flight.ts'
import { listRuns } from '../store/list-runs.ts'
import { loadRuns } from '../store/load-runs.ts'
import { listPastPlaces, type PastPlaceRow } from '../store/past-places.ts'
import type { SummaryRow } from '../store/run-columns.ts'
import { readFacts } from './load-progress.ts'

export interface PastWish {
  /** Uuid or identifier. */
  readonly pipeline: string | undefined
  /** This team, and those below it; '/' is everywhere. */
  readonly teamPath: string | undefined
  readonly scope: string | undefined
  readonly limit: number
}

/** A run as rules saw it when it began. */
export interface PastRun {
  readonly facts: RunInFlight
  /** False: the graph of its pipeline cannot be read any more, and is empty. */
  readonly isWhole: boolean
  readonly status: string
  readonly reason: string | null
  /** What rules were asked about, or would have been, earliest first. */
  readonly places: readonly Omit<PastPlaceRow, 'run_id'>[]
}

/**
 * The newest runs of the wish, without their places. Rules read what a pipeline's document says: of a run without
 * `pipeline.read`, nothing is answered. A pipeline that the caller may not see has no runs.
 */
export async function listPast(means: Means, caller: Caller, wish: PastWish): Promise<readonly SummaryRow[]> {
  const db = means.database.kysely
  const readable = caller.prefixes('run.read')
  const both = caller.prefixes('pipeline.read').flatMap((path) => below(readable, path))
  const { teamPath = '/', scope, limit } = wish
  const pipelineId = wish.pipeline === undefined ? undefined : (await means.pipelines.find(db, wish.pipeline))?.id
  if (wish.pipeline !== undefined && pipelineId === undefined) return []
  return await listRuns(db, { prefixes: below(both, teamPath), pipelineId, scope, limit, before: undefined })
}

function below(prefixes: readonly string[], teamPath: string): readonly string[] {
  return teamPath === '/' ? prefixes : prefixesWithin(prefixes, teamPath)
}

/** These runs with their places; in the order of the ids. A run that is gone is left out. */
export async function readPast(means: Means, ids: readonly string[]): Promise<readonly PastRun[]> {
  const db = means.database.kysely
  const rows = new Map((await loadRuns(db, ids)).map((row) => [row.id, row]))
  const places = Map.groupBy(await listPastPlaces(db, ids), (place) => place.run_id)
  const past: PastRun[] = []
  for (const id of ids) {
    const row = rows.get(id)
    if (!row) continue
    const { run, isWhole } = await readFacts(means, db, row)
    past.push({ facts: run, isWhole, status: row.status, reason: row.reason, places: places.get(id) ?? [] })
  }
  return past
}
