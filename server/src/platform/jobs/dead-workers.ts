import pg from 'pg'
import { answeredWithin, CopyStale, type Database } from '#platform/database'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { lockHolder, unlockDeadHolders, unlockLost } from './store.ts'

/**
 * A process that is killed leaves its jobs locked, and the queue would wait four hours before it gives them to others.
 * Every process that takes jobs therefore holds an advisory lock for its lifetime. Any process frees the jobs of a
 * holder without a lock. After a restart of the database a live holder may look dead for a moment. The job then runs
 * twice, which every job must bear anyway. A job that was given to one of ours in an answer that never arrived is
 * freed, too.
 */
export interface DeadWorkers {
  /** From now on jobs that are locked in this name belong to somebody who lives. */
  watch(holder: string): void
  close(): Promise<void>
}

/** Ids of the jobs that this process works on; undefined while it asks for one, or stores how one ended. */
export type InHand = () => readonly string[] | undefined

const SWEEP_MS = 5000
// Well below the two seconds for which a job is never taken from its holder.
const SOON_MS = 200
const PATIENCE_MS = 30_000
const CLOSE_MS = 5000

export function freeDeadWorkers(database: Database, log: Log, clock: Clock, inHand: InHand): DeadWorkers {
  const closing = new AbortController()
  const mine = new Set<string>()
  /** The holder whose lock the present connection has. */
  let locked = new Set<string>()
  let client: pg.Client | undefined

  async function connect(): Promise<pg.Client> {
    if (client) return client
    const next = new pg.Client({ ...database.connectionConfig, application_name: 'signalbox job workers' })
    const lost = (): void => {
      if (client === next) void forget()
    }
    next.on('error', lost)
    next.on('end', lost)
    await next.connect()
    locked = new Set()
    client = next
    return next
  }

  /** With the connection the locks are gone: they are had again soon. */
  async function forget(): Promise<void> {
    const ended = client?.end()
    client = undefined
    locked = new Set()
    await ended?.catch(() => undefined)
  }

  async function sweep(): Promise<void> {
    const connected = await connect()
    for (const holder of [...mine].filter((name) => !locked.has(name))) {
      await lockHolder(connected, holder)
      locked.add(holder)
    }
    const freed = await unlockDeadHolders(connected, [...mine])
    if (freed.length > 0) log.warn({ workers: freed }, 'jobs of dead workers are free again')
    const held = inHand()
    const lost = held ? await unlockLost(connected, [...mine], held) : []
    if (lost.length > 0) log.warn({ jobs: lost }, 'jobs that were given and never arrived are free again')
  }

  const loop = (async () => {
    while (!closing.signal.aborted) {
      await answeredWithin(clock, sweep(), PATIENCE_MS).catch((error: Error) => {
        log.debug({ err: error.message }, 'looking for dead workers failed')
        // A connection that does not answer may never do so.
        if (error instanceof CopyStale) void forget()
      })
      const unlocked = mine.size === 0 || [...mine].some((name) => !locked.has(name))
      await clock.sleep(unlocked ? SOON_MS : SWEEP_MS, closing.signal)
    }
  })()

  return {
    watch: (holder) => void mine.add(holder),
    async close() {
      closing.abort()
      await loop
      await answeredWithin(clock, forget(), CLOSE_MS).catch(() => undefined)
    },
  }
}
