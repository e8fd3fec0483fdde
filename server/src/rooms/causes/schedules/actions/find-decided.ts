import type { Queryable } from '#platform/database'
import { afterDecided, type CompiledTiming, spreadOf } from '../rules/index.ts'
import { findNewestDecided } from '../store/fires.ts'

/**
 * Up to where the planned instants of a stored schedule are decided, whatever its timing was then: `now`, or later. Only the
 * spread plans what is named up to now for later: without one, nothing that was decided comes back.
 */
export async function findDecidedUntil(db: Queryable, compiled: CompiledTiming, now: Date): Promise<Date> {
  const spread = spreadOf(compiled.timing)
  if (spread === 0) return now
  const nominal = await findNewestDecided(db, compiled.timing.id, new Date(now.getTime() - spread))
  return afterDecided(compiled, { after: now, nominal })
}
