/**
 * So much of something for all holders together, of which none may hold more than is left for the others: one alone gets
 * half, two a third each, and whoever comes new always finds some. No number of holders has to be known.
 */
export interface FairShares {
  /** False when it would be too much; then nothing is taken. Where nobody holds anything, any amount may be taken. */
  take(holder: string, amount: number): boolean
  /** Whether `take` would be true. */
  mayTake(holder: string, amount: number): boolean
  giveBack(holder: string, amount: number): void
}

export function createFairShares(most: number): FairShares {
  const held = new Map<string, number>()
  let taken = 0

  function mayTake(holder: string, amount: number): boolean {
    return taken === 0 || (held.get(holder) ?? 0) + amount <= most - taken - amount
  }

  return {
    mayTake,
    take(holder, amount) {
      if (!mayTake(holder, amount)) return false
      held.set(holder, (held.get(holder) ?? 0) + amount)
      taken += amount
      return true
    },
    giveBack(holder, amount) {
      const left = (held.get(holder) ?? 0) - amount
      if (left > 0) held.set(holder, left)
      else held.delete(holder)
      taken -= amount
    },
  }
}
