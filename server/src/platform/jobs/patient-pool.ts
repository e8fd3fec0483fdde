import type pg from 'pg'
import { isTransient, isUnavailable } from '#platform/database'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'

export interface PatientPool {
  /** Statements that have no answer yet. */
  asking(): number
}

export interface Patience {
  readonly clock: Clock
  readonly log: Log
  /** Aborts when the worker stops: what has no answer by then is answered with no rows. */
  readonly signal: AbortSignal
}

const PAUSE_MS = 500

/**
 * The job library borrows a client for one statement each (its migrations apart, which are done before). The library
 * does not even wait for the client that ends a job. A rejection there ended the whole process, and left the job locked
 * for four hours. The library keeps a rejection of its first statement, and then never works a job again. A borrowed
 * client therefore repeats its statement until the database answers. Only the library's first look at its tables may
 * reject. A statement may be done twice. All are idempotent but the statement that takes a job, and a job taken without
 * an answer is found by its lock.
 */
export function makePatient(pool: pg.Pool, patience: Patience): PatientPool {
  const { connect } = pool
  let asking = 0
  const borrowed = {
    async query(asked: unknown): Promise<unknown> {
      asking += 1
      try {
        return await askUntilAnswered(pool, asked, patience)
      } finally {
        asking -= 1
      }
    },
    release: () => undefined,
  }
  Object.defineProperty(pool, 'connect', {
    // With a callback: for a connection that is kept, or by the pool itself.
    value: (...args: readonly unknown[]) =>
      args.length > 0 ? Reflect.apply(connect, pool, args) : asPromised(borrowed),
  })
  return { asking: () => asking }
}

async function asPromised<T>(value: T): Promise<T> {
  return value
}

async function askUntilAnswered(pool: pg.Pool, asked: unknown, patience: Patience): Promise<unknown> {
  const { clock, log, signal } = patience
  while (!signal.aborted) {
    try {
      return await Reflect.apply(pool.query, pool, [asked])
    } catch (error) {
      if (!isUnavailable(error) && !isTransient(error)) {
        if (typeof asked === 'string') throw error
        log.error({ err: error }, 'the database refuses a statement of the job queue')
        return { rows: [] }
      }
    }
    await clock.sleep(PAUSE_MS, signal)
  }
  return { rows: [] }
}
