import type { ChangesQuery, LastSuccess } from '@signalbox/contracts/runs'
import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { listPins } from '../store/queue-place.ts'
import { type Compared, type Comparison, compareRuns } from './compare-runs.ts'
import { findLastSuccess } from './find-last-success.ts'

/** A run of a comparison, with the revisions of knowledge that held when something of it began. */
export interface ChangedRun extends Compared {
  readonly pins: ReadonlySet<string>
}

/** `left` is the earlier run. */
export interface FoundChanges extends Pick<Comparison, 'diff' | 'runnerNames'> {
  readonly left: ChangedRun
  readonly right: ChangedRun
  /** Null where the earlier run was named. */
  readonly match: LastSuccess['match'] | null
}

/** A run beside the last success before it, or beside the run that is named. Throws 404 for what the caller may not see. */
export async function explainChanges(means: Means, caller: Caller, query: ChangesQuery): Promise<FoundChanges> {
  const { run_id: id, with: named } = query
  const success = named === undefined ? await findLastSuccess(means, caller, id) : undefined
  const other = success?.run.id ?? named ?? id
  const compared = await compareRuns(means, caller, { id: other, other: id })
  const { left, right, diff, runnerNames } = compared
  return {
    left: await withPins(means, left),
    right: await withPins(means, right),
    diff,
    runnerNames,
    match: success?.match ?? null,
  }
}

async function withPins(means: Means, compared: Compared): Promise<ChangedRun> {
  const pins = await listPins(means.database.kysely, compared.run.id)
  return { ...compared, pins: new Set(pins.map((pin) => pin.revision_id)) }
}
