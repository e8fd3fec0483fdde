import { type Caller, prefixesWithin } from '#platform/http'
import type { Means } from '../means.ts'
import type { RunInFlight } from '../rules/run-in-flight.ts'
import { listRuns } from '../store/list-runs.ts'
import { loadRuns } from '../store/load-runs.ts'
import { listPastPlaces, type PastPlaceRow } from '../store/past-places.ts'
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

/** Runs as rules saw them when they began. */
interface PastRuns {
  /**
   * Ids of the newest runs of the wish. Rules read what a pipeline's document says: of a run without `pipeline.read`,
   * nothing is answered. A pipeline that the caller may not see has no runs.
   */
  list(caller: Caller, wish: PastWish): Promise<readonly string[]>
  /** These runs with their places, in the order of the ids; whoever asks has found them by `list`. */
  read(ids: readonly string[]): Promise<readonly PastRun[]>
}

export function pastOf(means: Means): PastRuns {
  return { list: (caller, wish) => listPast(means, caller, wish), read: (ids) => readPast(means, ids) }
}

async function listPast(means: Means, caller: Caller, wish: PastWish): Promise<readonly string[]> {
  const db = means.database.kysely
  const readable = caller.prefixes('run.read')
  const both = caller.prefixes('pipeline.read').flatMap((path) => below(readable, path))
  const { teamPath = '/', scope, limit } = wish
  const pipelineId = wish.pipeline === undefined ? undefined : (await means.pipelines.find(db, wish.pipeline))?.id
  if (wish.pipeline !== undefined && pipelineId === undefined) return []
  const rows = await listRuns(db, { prefixes: below(both, teamPath), pipelineId, scope, limit, before: undefined })
  return rows.map(({ id }) => id)
}

function below(prefixes: readonly string[], teamPath: string): readonly string[] {
  return teamPath === '/' ? prefixes : prefixesWithin(prefixes, teamPath)
}

async function readPast(means: Means, ids: readonly string[]): Promise<readonly PastRun[]> {
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
