import type { Queryable } from '#platform/database'
import type { Clock } from '#platform/time'
import { estimateWait } from '../rules/estimate.ts'
import { sharesBefore } from '../rules/turns.ts'
import { countAhead, countShares, listStarts, listTeamTurns, type Queued } from '../store/queue-place.ts'

/** Where a run stands that waits for a runner. */
export interface QueuePlace {
  /** How many begin before it; null: more than MOST_COUNTED. */
  readonly before: number | null
  /** MOST_COUNTED. */
  readonly counted: number
  readonly estimateSeconds: number | null
}

/**
 * A run with more runs before it needs a runner, not a number. Counting a long queue at each look would cost too much.
 */
export const MOST_COUNTED = 1000
/** Starts that an estimate looks back at. */
const STARTS = 50
const LOOK_BACK_MS = 3_600_000

/** By the index of the queue; its cost is that of the teams and of what is counted, however long the queue is. */
export async function findPlace(clock: Clock, db: Queryable, run: Queued): Promise<QueuePlace> {
  const before = await countBefore(db, run)
  if (before === null) return { before, counted: MOST_COUNTED, estimateSeconds: null }
  const now = clock.now()
  const starts = await listStarts(db, run.lane, new Date(now.getTime() - LOOK_BACK_MS), STARTS)
  return { before, counted: MOST_COUNTED, estimateSeconds: estimateWait(before, starts, now) }
}

async function countBefore(db: Queryable, run: Queued): Promise<number | null> {
  let before = await countAhead(db, run, MOST_COUNTED + 1)
  if (before > MOST_COUNTED) return null
  for (const sharesAt of sharesBefore(await listTeamTurns(db, run.lane), run.team_path)) {
    before += await countShares(db, run.lane, sharesAt(before), MOST_COUNTED + 1 - before)
    if (before > MOST_COUNTED) return null
  }
  return before
}
