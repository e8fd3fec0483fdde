import pg from 'pg'
import type { Database } from '#platform/database'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { lockWorker, unlockDeadWorkers } from './store.ts'

/**
 * A worker that is killed leaves its jobs locked, and the queue would wait four hours before it gives them to others.
 * So each worker holds an advisory lock for as long as its process lives, and whoever finds jobs of a worker without
 * one frees them. After a restart of the database a living worker may be taken for dead for a moment: its job then
 * runs twice, which every job must bear anyway.
 */
export interface DeadWorkers {
  /** From now on this worker counts as living. */
  watch(workerId: string): void
  close(): Promise<void>
}

const SWEEP_MS = 5000
// Well below the two seconds for which a job is never taken from a worker.
const SOON_MS = 200

export function freeDeadWorkers(database: Database, log: Log, clock: Clock): DeadWorkers {
  const closing = new AbortController()
  const mine = new Set<string>()
  /** Whose lock the present connection holds. */
  let locked = new Set<string>()
  let client: pg.Client | undefined

  async function connect(): Promise<pg.Client> {
    if (client) return client
    const next = new pg.Client({ ...database.connectionConfig, application_name: 'signalbox job workers' })
    const lost = (): void => {
      if (client === next) client = undefined
    }
    next.on('error', lost)
    next.on('end', lost)
    await next.connect()
    locked = new Set()
    client = next
    return next
  }

  async function sweep(): Promise<void> {
    const connected = await connect()
    for (const workerId of [...mine].filter((id) => !locked.has(id))) {
      await lockWorker(connected, workerId)
      locked.add(workerId)
    }
    const freed = await unlockDeadWorkers(connected, [...mine])
    if (freed.length > 0) log.warn({ workers: freed }, 'jobs of dead workers are free again')
  }

  const loop = (async () => {
    while (!closing.signal.aborted) {
      await sweep().catch((error: Error) => log.debug({ err: error.message }, 'looking for dead workers failed'))
      const unlocked = mine.size === 0 || [...mine].some((id) => !locked.has(id))
      await clock.sleep(unlocked ? SOON_MS : SWEEP_MS, closing.signal)
    }
  })()

  return {
    watch: (workerId) => void mine.add(workerId),
    async close() {
      closing.abort()
      await loop
      await client?.end().catch(() => undefined)
    },
  }
}
