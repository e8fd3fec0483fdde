/**
 * So much of something for all holders together, of which none may hold more than is left for the others: one alone gets
 * half, two a third each, and whoever comes new always finds some. No number of holders has to be known.
 *
 * A holder may have members, each with a name of its own: what the holder could have is shared among them in the same way,
 * so that one that uses up all it gets leaves some for the others of its holder too.
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
    // What it would hold at last, if nobody else took more: then it has as much as is left.
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
