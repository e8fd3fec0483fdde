import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from './queryable.ts'
import type { Statement } from './statement.ts'

/** What is done in the transaction of another piece of work: both are stored or neither is. */
export interface Rider {
  /**
   * Called when the work is done and before its commit; an error rolls back all of it. Called again when the transaction
   * is repeated.
   */
  ride(tx: Tx): Promise<void>
  /** The same for work that commits by `Database.pipeline`: these statements follow its own. */
  readonly statements: readonly Statement[]
  /** Nothing is ever committed: what is counted after a commit is not counted. */
  readonly isRehearsal?: true
}

interface Seat {
  readonly rider: Rider
  /** A transaction with the rider is committed, or the work is over: no further transaction takes it along. */
  isTaken: boolean
}

// No state of a house: each piece of work sees the rider of its own chain of calls, and no other.
const seats = new AsyncLocalStorage<Seat>()

export interface Rode<T> {
  readonly result: T
  /** False: the work committed no transaction, so the rider did nothing. */
  readonly rode: boolean
}

/**
 * Does `work`; the first transaction or pipeline that it commits also does what the rider does. What the work started and
 * left behind takes no rider along once the work is over.
 */
export async function alongside<T>(rider: Rider, work: () => Promise<T>): Promise<Rode<T>> {
  const seat: Seat = { rider, isTaken: false }
  try {
    const result = await seats.run(seat, work)
    return { result, rode: seat.isTaken }
  } finally {
    seat.isTaken = true
  }
}

/** Whether the next transaction takes a rider along: then nobody else's work may be in it. */
export function isRidden(): boolean {
  return seats.getStore()?.isTaken === false
}

/** Whether nothing of the transaction under way will be stored. */
export function isRehearsal(): boolean {
  return seats.getStore()?.rider.isRehearsal === true
}

/** Runs `once`, which commits, with `work` and the rider's part. */
export async function ridden<T>(work: (tx: Tx) => Promise<T>, once: (work: (tx: Tx) => Promise<T>) => Promise<T>) {
  const seat = seats.getStore()
  if (!seat || seat.isTaken) return once(work)
  const result = await once(async (tx) => {
    const done = await work(tx)
    await seat.rider.ride(tx)
    return done
  })
  seat.isTaken = true
  return result
}

/** As `ridden`, for statements that are sent together. */
export async function riddenTogether(
  statements: readonly Statement[],
  once: (statements: readonly Statement[]) => Promise<void>,
): Promise<void> {
  const seat = seats.getStore()
  if (!seat || seat.isTaken) return once(statements)
  await once([...statements, ...seat.rider.statements])
  seat.isTaken = true
}
