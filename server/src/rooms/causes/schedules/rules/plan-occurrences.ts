import type { Excluder } from './exclusions.ts'
import type { NextNominal, Nominal } from './nominal-instants.ts'
import { stableBelow } from './stable-hash.ts'
import type { CompiledTiming, ListOptions, Mark, Occurrence, Timing } from './timing.ts'
import { SECOND, writeLocal } from './wall.ts'
import type { Zone } from './zone.ts'

/** What occurrences are planned from. */
export interface PlanInput {
  readonly timing: Timing
  readonly zone: Zone
  readonly next: NextNominal
  readonly exclude: Excluder
}

/** More occurrences that are excluded one after the other, each by another reason, end a schedule. */
const MAX_EXCLUDED = 1000

/** How long each fire is delayed: whole seconds below the spread, always the same for the id. */
export function spreadOf({ id, spreadMs }: Timing): number {
  return stableBelow(Math.floor(spreadMs / SECOND), `spread of ${id}`) * SECOND
}

export function planOccurrences(input: PlanInput): Pick<CompiledTiming, 'next' | 'list' | 'latest'> {
  const { timing, exclude } = input
  const spread = spreadOf(timing)
  const earliest = (timing.notBefore?.getTime() ?? Number.NEGATIVE_INFINITY) - 1
  const last = timing.notAfter?.getTime() ?? Number.POSITIVE_INFINITY

  function nextNominal(after: number): Nominal | undefined {
    const found = input.next(Math.max(after, earliest))
    return found && found.at <= last ? found : undefined
  }

  function nextAt(after: number): Occurrence | undefined {
    let from = after - spread
    for (let step = 0; step < MAX_EXCLUDED; step += 1) {
      const nominal = nextNominal(from)
      if (!nominal) return undefined
      const exclusion = exclude(nominal.at)
      if (!exclusion) return present(input, nominal, { spread, excludedBy: null })
      from = Math.max(exclusion.until - 1, nominal.at)
    }
    return undefined
  }

  function list(from: Date, to: Date, { limit, withExcluded = false }: ListOptions): readonly Occurrence[] {
    const found: Occurrence[] = []
    let after = from.getTime() - 1
    while (found.length < limit) {
      const occurrence = withExcluded ? nextOfAny(after) : nextAt(after)
      if (!occurrence || occurrence.planned > to) break
      found.push(occurrence)
      after = occurrence.planned.getTime()
    }
    return found
  }

  function nextOfAny(after: number): Occurrence | undefined {
    const nominal = nextNominal(after - spread)
    return nominal && present(input, nominal, { spread, excludedBy: exclude(nominal.at)?.by ?? null })
  }

  /** "Something is planned after x, at or before the end" is true up to the last occurrence: it is found by halving. */
  function latest(before: Date, notBefore: Date): Occurrence | undefined {
    const [end, start] = [before.getTime(), notBefore.getTime() - 1]
    function firstAfter(instant: number): Occurrence | undefined {
      const found = nextAt(Math.max(instant, start))
      return found && found.planned.getTime() <= end ? found : undefined
    }
    let width = SECOND
    let found = firstAfter(end - width)
    while (!found && end - width > start) {
      width *= 4
      found = firstAfter(end - width)
    }
    let high = end
    while (found && high - found.planned.getTime() > SECOND) {
      const middle = Math.floor((found.planned.getTime() + high) / 2)
      const later = firstAfter(middle)
      if (later) found = later
      else high = middle
    }
    return (found && firstAfter(found.planned.getTime())) ?? found
  }

  return { next: (after) => nextAt(after.getTime()), list, latest }
}

interface Planned {
  readonly spread: number
  readonly excludedBy: string | null
}

function present({ zone }: PlanInput, { at, mark }: Nominal, { spread, excludedBy }: Planned): Occurrence {
  const planned = at + spread
  const marks: readonly Mark[] = [
    ...(mark === undefined ? [] : [mark]),
    ...(spread > 0 ? (['spread'] as const) : []),
    ...(excludedBy === null ? [] : (['excluded'] as const)),
  ]
  return {
    planned: new Date(planned),
    nominal: new Date(at),
    // Written out only where somebody reads it: the scheduler never does.
    get local() {
      return writeLocal(planned, zone.offsetAt(planned))
    },
    marks,
    excludedBy,
  }
}
