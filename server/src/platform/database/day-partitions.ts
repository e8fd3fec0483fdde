import { sql } from 'kysely'
import { lowestIdOf } from '#platform/ids'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import type { Database } from './database.ts'
import { isLockTimeout } from './errors.ts'
import type { Tx } from './queryable.ts'

/** A day (UTC) of a table that is kept by day. */
export interface DayPartition {
  readonly name: string
  /** Rows whose ids were made from then on, for 24 hours. */
  readonly start: Date
}

/**
 * A table whose key is a UUIDv7, partitioned by range of that key: a partition for each day, and `<table>_default` for
 * what belongs to none. Writers never wait long: after a quarter of a second the lock is given up, and asked for again
 * a second later.
 */
export interface DayPartitions {
  /** Makes the partitions of today and of the next seven days where they are missing. */
  ensure(): Promise<void>
  /** Oldest first. */
  list(): Promise<readonly DayPartition[]>
  /** Drops the days that ended by `instant`, and older rows of no day. Answers how many days went. */
  dropBefore(instant: Date, signal: AbortSignal): Promise<number>
}

const DAY_MS = 86_400_000
const DAYS_AHEAD = 7
/** Every other statement on the table waits behind a statement that waits for the lock. */
const LOCK_TIMEOUT = '250ms'
const PAUSE_MS = 1000
/** A reader that holds the table for longer than a minute: the next hour tries again. */
const TRIES = 60
const BATCH = 1000

export function dayPartitions(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  table: string,
): DayPartitions {
  const rest = `${table}_default`

  async function list(): Promise<readonly DayPartition[]> {
    const { rows } = await sql<{ name: string }>`
      select child.relname as name from pg_inherits join pg_class as child on child.oid = inhrelid
      where inhparent = ${table}::regclass and child.relname ~ '_[0-9]{8}$' order by child.relname`.execute(
      database.kysely,
    )
    return rows.map(({ name }) => ({ name, start: startOf(name) }))
  }

  async function patiently(signal: AbortSignal, work: (tx: Tx) => Promise<unknown>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await database.transaction(async (tx) => {
          await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(tx)
          await work(tx)
        })
        return
      } catch (error) {
        if (!isLockTimeout(error) || tries >= TRIES || signal.aborted) throw error
        await clock.sleep(PAUSE_MS, signal)
      }
    }
  }

  return {
    list,
    async ensure() {
      const today = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS
      const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => new Date(today + ahead * DAY_MS))
      const made = new Set((await list()).map(({ start }) => start.getTime()))
      const missing = days.filter((day) => !made.has(day.getTime())).map((day) => day.toISOString().slice(0, 10))
      if (missing.length === 0) return
      await patiently(new AbortController().signal, (tx) =>
        sql`select ensure_day_partition(${table}, day) from unnest(${missing}::date[]) as day`.execute(tx),
      )
    },
    async dropBefore(instant, signal) {
      const old = (await list()).filter(({ start }) => start.getTime() + DAY_MS <= instant.getTime())
      let dropped = 0
      for (const { name } of old) {
        if (signal.aborted) return dropped
        await patiently(signal, (tx) => sql`drop table if exists ${sql.table(name)}`.execute(tx))
        dropped += 1
      }
      while (!signal.aborted && (await dropRest(database, rest, lowestIdOf(instant.getTime()))) === BATCH);
      return dropped
    },
  }
}

/**
 * For a room that opens: a process that has just begun need not wait for the hour of its job. Where the days cannot be made
 * now nothing is lost: rows without a day move into it when it is made.
 */
export async function openDays(log: Log, tables: readonly DayPartitions[]): Promise<void> {
  try {
    for (const days of tables) await days.ensure()
  } catch (error) {
    log.warn({ err: error }, 'the partitions of the coming days could not be made; a job tries again')
  }
}

async function dropRest(database: Database, rest: string, belowId: string): Promise<number> {
  const result = await sql`
    delete from ${sql.table(rest)} where id in (
      select id from ${sql.table(rest)} where id < ${belowId} limit ${BATCH})`.execute(database.kysely)
  return Number(result.numAffectedRows ?? 0)
}

/** The names are those that `ensure_day_partition` gives. */
function startOf(name: string): Date {
  const day = name.slice(-8)
  return new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00.000Z`)
}
