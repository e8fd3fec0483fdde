/** Fewer starts say nothing of how fast a lane moves. */
const FEWEST = 3

/**
 * Seconds until a run begins before which `before` others do, if runs go on to begin as often as they did lately; `starts`
 * newest first. Null: too few began to say.
 */
export function estimateWait(before: number, starts: readonly Date[], now: Date): number | null {
  const oldest = starts.at(-1)
  if (starts.length < FEWEST || !oldest) return null
  const apart = (now.getTime() - oldest.getTime()) / starts.length
  return Math.round(((before + 1) * apart) / 1000)
}
