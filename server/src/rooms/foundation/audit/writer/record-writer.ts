import { isOfRow } from '#platform/database'
import { platformProblem } from '#platform/problems'
import type { Clock, Timer } from '#platform/time'
import type { AuditRow } from '../store.ts'

/** Writes records that stand for themselves, in no transaction of a write: engine of this room. */
export interface RecordWriter {
  /** Resolves after the commit. Rejects where the record is not known to be stored; overloaded (503): it is not stored. */
  write(row: AuditRow): Promise<void>
}

export interface Patience {
  /** Records that may wait for the statement before theirs. */
  readonly most: number
  /** How long one may wait for it, in milliseconds. */
  readonly ms: number
}

interface Waiting {
  readonly row: AuditRow
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  readonly late: Timer
}

const MOST_TOGETHER = 100
/** A database that holds a statement up must not gather all calls of all agents in this process. */
const PATIENCE: Patience = { most: 2000, ms: 5000 }

/**
 * Records that come while others are written are taken together into the next statement: agents call tools at the same time,
 * and each commit of its own would cost PostgreSQL a flush, and this process as much as a third of a small call. Nobody waits
 * for company: a lone record is written at once.
 */
export function createRecordWriter(
  insert: (rows: readonly AuditRow[]) => Promise<void>,
  clock: Clock,
  patience: Patience = PATIENCE,
): RecordWriter {
  let waiting: Waiting[] = []
  let isWriting = false

  async function writeAll(group: readonly Waiting[]): Promise<void> {
    try {
      await insert(group.map(({ row }) => row))
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (group.length === 1 || !isOfRow(error)) {
        for (const { reject } of group) reject(error)
        return
      }
      // One record that cannot be stored must not fail the others.
      const half = Math.ceil(group.length / 2)
      await writeAll(group.slice(0, half))
      await writeAll(group.slice(half))
    }
  }

  async function run(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const group = waiting.slice(0, MOST_TOGETHER)
      waiting = waiting.slice(MOST_TOGETHER)
      for (const { late } of group) late.cancel()
      await writeAll(group)
    }
    isWriting = false
  }

  return {
    async write(row) {
      if (waiting.length >= patience.most) throw overloaded()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const giveUp = (): void => {
        waiting = waiting.filter((each) => each.row !== row)
        reject(overloaded())
      }
      waiting.push({ row, resolve, reject, late: clock.after(patience.ms, giveUp) })
      if (!isWriting) void run()
      return promise
    },
  }
}

function overloaded(): Error {
  return platformProblem('overloaded', 'The record of this request cannot be stored right now.', {
    headers: { 'retry-after': '5' },
  })
}
