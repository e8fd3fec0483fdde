/**
 * An amount that all holders share. No holder may have more than is left for the others: a single holder gets half, two
 * get a third each. A new holder always finds some. The number of holders need not be known.
 *
 * A holder may have members, each with a name of its own. Members share their holder's amount in the same way, so that
 * a member that uses up its part leaves some for the others.
 */
export interface FairShares {
  /** False when it would be too much; then nothing is taken. Where nobody holds anything, any amount may be taken. */
  take(holder: string, amount: number, member?: string): boolean
  /** Whether `take` would be true. */
  mayTake(holder: string, amount: number, member?: string): boolean
  giveBack(holder: string, amount: number, member?: string): void
}

export function createFairShares(most: number): FairShares {
  const held = new Map<string, number>()
  const heldByMembers = new Map<string, number>()
  let taken = 0

  function mayTake(holder: string, amount: number, member?: string): boolean {
    if (taken === 0) return true
    const ofHolder = held.get(holder) ?? 0
    if (ofHolder + amount > most - taken - amount) return false
    if (member === undefined || ofHolder === 0) return true
    // The largest share, if nobody else took more: the holder then has as much as is left.
    const share = (ofHolder + most - taken) / 2
    return (heldByMembers.get(member) ?? 0) + amount <= share - ofHolder - amount
  }

  return {
    mayTake,
    take(holder, amount, member) {
      if (!mayTake(holder, amount, member)) return false
      add(held, holder, amount)
      if (member !== undefined) add(heldByMembers, member, amount)
      taken += amount
      return true
    },
    giveBack(holder, amount, member) {
      add(held, holder, -amount)
      if (member !== undefined) add(heldByMembers, member, -amount)
      taken -= amount
    },
  }
}

function add(amounts: Map<string, number>, name: string, amount: number): void {
  const sum = (amounts.get(name) ?? 0) + amount
  if (sum > 0) amounts.set(name, sum)
  else amounts.delete(name)
}
