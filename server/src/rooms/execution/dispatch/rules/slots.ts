import type { HandedBack } from './wish.ts'

/** Runners that could serve a lane, those with the fewest labels to spare first: rare ones stay free for who needs them. */
export type Tiers = readonly (readonly string[])[]

/** By then its runner has announced anew what it can run, and others had their chance. */
const HANDED_BACK_MS = 10_000

/** The tiers for an attempt whose predecessor was handed back: for a while they leave out the runner that did so. */
export function withoutHandedBack(tiers: Tiers, handedBack: HandedBack | null, now: Date): Tiers {
  if (handedBack === null || now.getTime() - handedBack.at.getTime() >= HANDED_BACK_MS) return tiers
  return tiers.map((tier) => tier.filter((id) => id !== handedBack.by))
}

/** Free places of the connected runners, as one round of the dispatcher spends them. */
export class Slots {
  readonly #places = new Map<string, { capacity: number; free: number }>()

  constructor(runners: Iterable<{ readonly id: string; readonly capacity: number; readonly busy: number }>) {
    for (const { id, capacity, busy } of runners) this.#places.set(id, { capacity, free: Math.max(0, capacity - busy) })
  }

  get free(): number {
    let free = 0
    for (const place of this.#places.values()) free += place.free
    return free
  }

  hasFree(tiers: Tiers): boolean {
    return tiers.some((tier) => tier.some((id) => (this.#places.get(id)?.free ?? 0) > 0))
  }

  /** Takes a place: of the first tier that has one, at the runner that is least busy for its size. */
  take(tiers: Tiers): string | undefined {
    for (const tier of tiers) {
      const best = this.#emptiest(tier)
      const place = best === undefined ? undefined : this.#places.get(best)
      if (!place) continue
      place.free -= 1
      return best
    }
    return undefined
  }

  #emptiest(runnerIds: readonly string[]): string | undefined {
    let best: string | undefined
    let bestShare = 0
    for (const id of runnerIds) {
      const place = this.#places.get(id)
      const share = place ? place.free / place.capacity : 0
      if (share <= bestShare) continue
      best = id
      bestShare = share
    }
    return best
  }
}
