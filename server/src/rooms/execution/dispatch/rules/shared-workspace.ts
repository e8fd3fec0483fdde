import type { SharedPlace } from '#rooms/execution/runs'
import { laneText, readLane } from './lanes.ts'
import type { Wish } from './wish.ts'

/** Whether an earlier task of the step has left files in the workspace that its tasks share. */
export function hasBegun(place: SharedPlace | undefined, task: string): boolean {
  return place?.begun.some((other) => other !== task) ?? false
}

/**
 * The runner that an attempt in a shared workspace must go to; null: any. Only a first task whose runner was lost begins
 * elsewhere. `lastStatus` is newer than what is stored.
 */
export function holderFor(place: SharedPlace | undefined, task: string, lastStatus?: string | null): string | null {
  if (!place) return null
  if (hasBegun(place, task)) return place.runnerId
  return (lastStatus ?? place.lastStatus) === 'lost' ? null : place.runnerId
}

/** The same attempt, for this runner alone. The attempt waits in a lane of its own, so that others pass it. */
export function pinnedTo(wish: Wish, runner: string | null): Wish {
  const lane = readLane(wish.lane)
  if (runner === null || !lane || !wish.row) return wish
  const { scope, executor, labels } = lane
  const requirement = { executor, labels, runner }
  return { ...wish, lane: laneText(scope, requirement), row: { ...wish.row, requirement } }
}
