import type { AttemptInsert, RunInFlight } from '#rooms/execution/runs'
import { type Placement, placeOf } from './placement.ts'

/** An attempt that wants a place. */
export interface Wish {
  readonly id: string
  readonly runId: string
  readonly lane: string
  /** Of its run. */
  readonly teamPath: string
  readonly priority: number
  readonly step: string
  readonly task: string
  readonly number: number
  /** The runner that handed back the attempt before, and when it did. */
  readonly handedBack: HandedBack | null
  /** Null: its row is there and waits. */
  readonly row: AttemptRowBefore | null
}

export interface HandedBack {
  readonly by: string
  readonly at: Date
}

/** The row of an attempt that no runner has yet. */
export type AttemptRowBefore = Omit<AttemptInsert, 'status'>

export interface AttemptKey {
  readonly step: string
  readonly task: string
  readonly number: number
}

/** `handedBack`: of the attempt before. */
export function wishFor(
  id: string,
  run: RunInFlight,
  { step, task, number }: AttemptKey,
  handedBack: HandedBack | null,
): Wish {
  const place = placeOf(run, step, task)
  const before = rowBefore(id, run.id, { step, task, number }, place)
  const row = handedBack === null ? before : { ...before, handed_back_by: handedBack.by }
  return {
    id,
    runId: run.id,
    lane: place.lane,
    teamPath: run.teamPath,
    priority: run.priority,
    step,
    task,
    number,
    handedBack,
    row,
  }
}

function rowBefore(id: string, runId: string, key: AttemptKey, place: Placement): AttemptRowBefore {
  return {
    id,
    run_id: runId,
    ...key,
    scope: place.scope,
    requirement: { executor: place.requirement.executor, labels: [...place.requirement.labels].sort() },
    reason: null,
    runner_id: null,
    lease_expires_at: null,
    finished_at: null,
  }
}

/** The fields that decide when an attempt is served. */
export type Ranked = Pick<Wish, 'runId' | 'teamPath' | 'priority'>

/**
 * Whether an attempt is served before a queued run, so that runs that have begun end. Always before runs of other
 * teams: its own team had its turn. Within its team, before runs that were queued later or have a lower priority.
 */
export function goesBefore(wish: Ranked, run: Pick<RunInFlight, 'id' | 'teamPath' | 'priority'>): boolean {
  return wish.teamPath !== run.teamPath || wish.runId < run.id || wish.priority > run.priority
}
