import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { ridden, riddenTogether } from './alongside.ts'
import { answeredWithin } from './answered-within.ts'
import { isTransient } from './errors.ts'
import { watchFullDisk } from './full-disk.ts'
import type { DB } from './generated/tables.ts'
import { createListener, type Notifications } from './listener.ts'
import { limitSession, type SessionWatch, watchSessions } from './lost-sessions.ts'
import { openPipeline } from './pipelined.ts'
import { createStatementNames, prepareStatements } from './prepared-statements.ts'
import type { Tx } from './queryable.ts'
import type { Statement } from './statement.ts'

export interface Database {
  readonly kysely: Kysely<DB>
  /**
   * Runs `work` in one transaction. A serialization failure or deadlock repeats all of it (at most 5 times), so `work`
   * must not have effects outside the database. `afterCommit` is for those: it runs once, when all is stored.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions<T>): Promise<T>
  /**
   * One transaction, in one round trip unless a statement has followers (`Statement.follow`). Repeated like
   * `transaction`.
   */
  pipeline(statements: readonly Statement[]): Promise<void>
  readonly notifications: Notifications
  /** Resolves when a trivial query answers within `timeoutMs`, else rejects. */
  ping(timeoutMs: number): Promise<void>
  /** Whether writes fail for want of room, also on a disk that is not ours. */
  isFull(): Promise<boolean>
  readonly connectionConfig: pg.PoolConfig
  /** Looks after the connections of another pool of this database, too. */
  readonly sessions: SessionWatch
  close(): Promise<void>
}

export interface TransactionOptions<T> {
  readonly afterCommit?: (result: T) => void
}

export interface DatabaseOptions {
  readonly url: string
  readonly poolSize: number
  readonly log: Log
  readonly clock: Clock
}

const ATTEMPTS = 5
/** Limits the last questions: a database that hangs must not keep a process from ending. */
const CLOSE_MS = 5000

// timestamptz arrives as Date already; bigint as text would make every counter a string, and none of ours passes 2^53.
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === 20) return Number
    return pg.types.getTypeParser(oid, format)
  },
}

/** Opens the pool. Never throws for a database that is down: queries fail until it answers. */
export function openDatabase(options: DatabaseOptions): Database {
  const connectionConfig: pg.PoolConfig = {
    connectionString: options.url,
    types,
    application_name: 'signalbox',
    connectionTimeoutMillis: 3000,
    keepAlive: true,
    // Then one question a second, ten times. Linux would ask the first time after two hours.
    keepAliveInitialDelayMillis: 10_000,
  }
  const pool = new pg.Pool({
    ...connectionConfig,
    max: options.poolSize,
    idleTimeoutMillis: 60_000,
    onConnect: (client) => limitSession(client, options.clock),
  })
  // An idle connection that dies is replaced on the next use; without a listener it would end the process.
  // While the pool ends its connections may still be closing when the server goes: that is no loss.
  pool.on('error', (error) => {
    if (!pool.ending) options.log.warn({ err: error.message }, 'an idle database connection was lost')
  })
  // A connection that dies while lent out, between two statements, has no other listener either. The holder learns of
  // it by the next statement.
  const statementNames = createStatementNames()
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    prepareStatements(client, statementNames)
  })
  const sessions = watchSessions(connectionConfig, options.log, options.clock)
  sessions.watch(pool)
  const fullDisk = watchFullDisk(pool, options.clock)
  const kysely = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log(event) {
      if (event.level === 'error') fullDisk.notice(event.error)
    },
  })
  const pipeline = openPipeline(connectionConfig, options.log, options.clock, sessions)
  const notifications = createListener(connectionConfig, options.log, options.clock)

  async function repeated<T>(once: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once()
      } catch (error) {
        fullDisk.notice(error)
        if (attempt >= ATTEMPTS || !isTransient(error)) throw error
        await options.clock.sleep(2 ** attempt * (2 + (attempt % 3)))
      }
    }
  }

  async function endAll(): Promise<void> {
    await notifications.close()
    await pipeline.close()
    // Not kysely.destroy(): it ends the pool only when Kysely itself has made a query.
    await pool.end()
  }

  return {
    kysely,
    connectionConfig,
    sessions,
    notifications,
    isFull: fullDisk.isFull,
    async transaction(work, { afterCommit } = {}) {
      const result = await ridden(work, (whole) => repeated(() => kysely.transaction().execute(whole)))
      afterCommit?.(result)
      return result
    },
    pipeline: (statements) => riddenTogether(statements, (all) => repeated(() => pipeline.run(all))),
    async ping(timeoutMs) {
      await answeredWithin(options.clock, pool.query('select 1'), timeoutMs)
    },
    async close() {
      sessions.close()
      await answeredWithin(options.clock, endAll(), CLOSE_MS).catch((error: Error) =>
        options.log.warn({ err: error.message }, 'connections to the database are left as they are'),
      )
    },
  }
}
