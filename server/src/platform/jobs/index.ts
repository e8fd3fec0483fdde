import { EventEmitter } from 'node:events'
import {
  type CronItem,
  Logger,
  makeWorkerUtils,
  parseCronItems,
  type Runner,
  type RunnerOptions,
  run,
} from 'graphile-worker'
import pg from 'pg'
import type { Database, Queryable, Statement } from '#platform/database'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { freeDeadWorkers } from './dead-workers.ts'
import { wakeForDueJobs } from './due-jobs.ts'
import { makePatient } from './patient-pool.ts'
import { addingJobs, addJob, type KeyedJob } from './store.ts'
import { Turns } from './turns.ts'

/** A durable job: at least once, retried with growing pauses. Idempotent by its payload. */
export interface JobDefinition {
  /** Imperative, `<room>.<what>`: `sources.drop-old-payloads`. */
  readonly name: string
  /** Five cron fields in UTC, for a job that comes round by itself; run once among all processes. */
  readonly cron?: string
  /**
   * The number of jobs at a time in one process, each with a worker kept for it. For calls of services that may be slow
   * or hang: no other job waits for them. With `cron` it is one among all processes. Left out: all such jobs share workers.
   */
  readonly apart?: number
  run(payload: unknown, signal: AbortSignal): Promise<void>
}

export interface AddJob {
  /** A job of the same key that has not begun is replaced, not doubled. */
  readonly key?: string
  readonly runAt?: Date
  readonly maxAttempts?: number
  /** Jobs of one queue run one after the other; a job that waits to be tried again lets the others pass. */
  readonly queue?: string | undefined
}

export interface Jobs {
  /** Adds a job inside the caller's transaction: it exists if and only if that commits. */
  add(db: Queryable, name: string, payload: unknown, options?: AddJob): Promise<void>
  /** Like `add`, for `Database.pipeline`: the statement that adds several jobs of one name, each with a key. */
  adding(name: string, wanted: readonly KeyedJob[]): Statement
}

export interface JobWorker {
  stop(): Promise<void>
}

/** Fewer retries than the library's 25: after 12 (about six hours) a person must look. */
const MAX_ATTEMPTS = 12
export const JOBS_SCHEMA = 'graphile_worker'
/** The number of jobs at a time among jobs without workers of their own. */
const TOGETHER = 2
/** Two connections that listen, and four for the questions of all workers. */
const CONNECTIONS = 6
/** NOTIFY wakes workers for new jobs and for due ones; this is for a notification that was lost. */
const POLL_MS = 15_000

export const jobs: Jobs = {
  async add(db, name, payload, options = {}) {
    const { runAt, key, queue, maxAttempts = MAX_ATTEMPTS } = options
    await addJob(db, { name, payload, runAt, key, queue, maxAttempts })
  },
  adding: (name, wanted) => addingJobs(name, wanted, MAX_ATTEMPTS),
}

/** Creates or upgrades the queue's own tables; before it `add` fails. */
export async function migrateJobs(url: string, log: Log): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  watch(pool, log)
  try {
    const tools = await makeWorkerUtils({ pgPool: pool, schema: JOBS_SCHEMA, logger: quiet(log) })
    await tools.migrate()
    await tools.release()
  } finally {
    await pool.end()
  }
}

/** Works the queue in this process until stopped; jobs in hand are finished, the rest is left to others. */
export async function startJobWorker(
  database: Database,
  definitions: readonly JobDefinition[],
  log: Log,
  clock: Clock,
): Promise<JobWorker> {
  const together = definitions.filter((job) => job.apart === undefined)
  const apart = definitions.filter((job) => job.apart !== undefined)
  const pool = new pg.Pool({ ...database.connectionConfig, max: CONNECTIONS })
  watch(pool, log)
  database.sessions.watch(pool)
  const stopping = new AbortController()
  const patient = makePatient(pool, { clock, log, signal: stopping.signal })
  const inHand = new Set<string>()
  const deadWorkers = freeDeadWorkers(database, log, clock, () => (patient.asking() === 0 ? [...inHand] : undefined))
  const due = wakeForDueJobs(pool, log, clock)

  async function work(
    jobsOfOne: readonly JobDefinition[],
    concurrency: number,
    events: EventEmitter,
    forbiddenFlags: RunnerOptions['forbiddenFlags'] = null,
  ): Promise<Runner> {
    // The library locks jobs in the name of the pool of workers, not of the single worker.
    events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => deadWorkers.watch(workerPool.id))
    events.on('job:start', ({ job }: { job: { id: string } }) => inHand.add(job.id))
    events.on('job:complete', ({ job }: { job: { id: string } }) => inHand.delete(job.id))
    const taskList = Object.fromEntries(
      jobsOfOne.map((job) => [job.name, (payload: unknown) => job.run(payload, stopping.signal).catch(retell)]),
    )
    const runner = await run({
      events,
      pgPool: pool,
      schema: JOBS_SCHEMA,
      concurrency,
      forbiddenFlags,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      taskList,
      parsedCronItems: parseCronItems(jobsOfOne.flatMap(cronItemOf)),
      logger: quiet(log),
    })
    runner.promise.catch((error: Error) => log.error({ err: error.message }, 'the job queue stopped'))
    return runner
  }

  const runners = [await work(together, TOGETHER, new EventEmitter())]
  if (apart.length > 0) {
    const events = new EventEmitter()
    const limits = new Map(apart.map((job) => [job.name, job.apart ?? 1]))
    const turns = new Turns(limits, events)
    const workers = limits.values().reduce((sum, limit) => sum + limit, 0)
    runners.push(await work(apart, workers, events, () => turns.take()))
  }
  return {
    async stop() {
      stopping.abort()
      await due.close()
      await Promise.all(runners.map((runner) => runner.stop().catch(() => undefined)))
      await deadWorkers.close()
      await pool.end()
    },
  }
}

/** Jobs that come round have no flags: a queue of their own keeps one that hangs from taking the places of others. */
function cronItemOf({ name, cron, apart }: JobDefinition): CronItem[] {
  if (cron === undefined) return []
  return [{ task: name, match: cron, ...(apart === undefined ? {} : { options: { queueName: name } }) }]
}

/** The error of a job is stored beside the job and may quote anything; PostgreSQL takes neither NUL nor half characters. */
function retell(error: unknown): never {
  if (!(error instanceof Error)) throw error
  error.message = error.message.replaceAll('\0', ' ').toWellFormed()
  throw error
}

/** A lost connection is replaced by the library; without listeners it would end the process. */
function watch(pool: pg.Pool, log: Log): void {
  const tell = (error: Error): void =>
    log.warn({ err: error.message }, 'a database connection of the job queue was lost')
  pool.on('error', tell)
  pool.on('connect', (client) => void client.on('error', tell))
}

function quiet(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ queue: message }, 'job queue')
    else if (level === 'warning') log.warn({ queue: message }, 'job queue')
    else log.trace({ queue: message }, 'job queue')
  })
}
