import type { CompiledTiming } from './timing.ts'

/**
 * Fires that are looked at. The gaps within a minute, an hour and a day come again on each day that fires, so the first
 * few hundred show the closest pair of all expressions that are not closer than seconds anyway.
 */
const LOOKED_AT = 500

/** The smallest number of milliseconds between two fires that follow each other; undefined where fewer than two come. */
export function closestFires(compiled: CompiledTiming, from: Date): number | undefined {
  let closest: number | undefined
  let before = compiled.next(from)
  for (let count = 1; before && count < LOOKED_AT; count += 1) {
    const next = compiled.next(before.planned)
    if (!next) break
    const gap = next.planned.getTime() - before.planned.getTime()
    if (closest === undefined || gap < closest) closest = gap
    before = next
  }
  return closest
}
