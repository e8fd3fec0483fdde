import type pg from 'pg'
import type { Clock } from '#platform/time'
import { answeredWithin } from './answered-within.ts'
import { isDiskFull } from './errors.ts'

export interface FullDiskWatch {
  /** Told of every error of a statement. */
  notice(error: unknown): void
  /** Whether writes fail for want of room. Costs nothing while none has failed so. */
  isFull(): Promise<boolean>
}

/** After a write that failed for want of room, the next question tries again after so long. */
const PAUSE_MS = 1000
const ANSWER_MS = 1000

/** Takes some 2 MiB of new pages and gives them back: a small change finds room in a page that is there already. */
const TRY = `create temp table signalbox_room on commit drop as
  select repeat('x', 1000) as text from generate_series(1, 2000)`

/** Knows that the disk of a foreign server is full by writes that fail, and that it has room again by a write that succeeds. */
export function watchFullDisk(pool: pg.Pool, clock: Clock): FullDiskWatch {
  let failedAt: number | undefined
  let trying: Promise<void> | undefined

  async function tryToWrite(): Promise<void> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query("set local statement_timeout = '2s'")
      await client.query(TRY)
      failedAt = undefined
    } catch (error) {
      // Something else is wrong, such as a role that may make no such tables: then this cannot tell.
      failedAt = isDiskFull(error) ? clock.monotonic() : undefined
    } finally {
      await client.query('rollback').then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      )
    }
  }

  return {
    notice(error) {
      if (isDiskFull(error)) failedAt = clock.monotonic()
    },
    async isFull() {
      if (failedAt !== undefined && clock.monotonic() - failedAt >= PAUSE_MS) {
        trying ??= tryToWrite().finally(() => {
          trying = undefined
        })
        // Without an answer no room was shown; that the database is away is told elsewhere.
        await answeredWithin(clock, trying, ANSWER_MS).catch(() => undefined)
      }
      return failedAt !== undefined
    },
  }
}
