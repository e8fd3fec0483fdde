import { sql } from 'kysely'
import type pg from 'pg'
import type { Queryable, Statement } from '#platform/database'

export interface NewJob {
  readonly name: string
  readonly payload: unknown
  readonly runAt: Date | undefined
  readonly maxAttempts: number
  readonly key: string | undefined
  readonly queue: string | undefined
}

/** One of several jobs of a name that are added together. */
export interface KeyedJob {
  readonly key: string
  readonly payload: unknown
  readonly queue?: string | undefined
}

/**
 * The queue's own function: it also replaces an unstarted job of the same key and notifies the workers. The flag lets
 * workers pass over a kind of which enough jobs are in hand.
 */
export async function addJob(db: Queryable, job: NewJob): Promise<void> {
  await sql`select graphile_worker.add_job(
    identifier => ${job.name}, payload => ${JSON.stringify(job.payload)}::json, run_at => ${job.runAt ?? null},
    max_attempts => ${job.maxAttempts}, job_key => ${job.key ?? null}, queue_name => ${job.queue ?? null},
    flags => array[${job.name}])`.execute(db)
}

/**
 * Like `addJob`, for many jobs of one name in one statement; the fixed order keeps two statements from waiting for each
 * other.
 */
export function addingJobs(name: string, wanted: readonly KeyedJob[], maxAttempts: number): Statement {
  return { text: ADD_JOBS, values: [name, JSON.stringify(wanted), String(maxAttempts)] }
}

const ADD_JOBS = `
  select graphile_worker.add_job(identifier => $1::text, payload => wanted.payload, max_attempts => $3::integer,
    job_key => wanted.key, queue_name => wanted.queue, flags => array[$1::text])
  from (
    select key, payload, queue from json_to_recordset($2::json) as given(key text, payload json, queue text) order by key
  ) as wanted`

/** As many workers as are woken at once: more would only ask in vain. */
const WOKEN = 32

/** Notifies the workers of all processes when there are jobs whose time has come, as the queue does of new ones. */
export async function notifyOfDue(pool: pg.Pool): Promise<void> {
  await pool.query(
    `select pg_notify('jobs:insert', json_build_object('r', random(), 'count', due.count)::text)
       from (select count(*) as count
               from (select 1
                       from graphile_worker._private_jobs
                      where is_available and run_at <= now()
                      limit ${WOKEN}) as found) as due
      where due.count > 0`,
  )
}

/** The session holds the lock, which ends with the process in any case. */
export async function lockHolder(client: pg.Client, holder: string): Promise<void> {
  await client.query(`select pg_advisory_lock(hashtextextended('job worker ' || $1, 0))`, [holder])
}

/** Frees the jobs of every holder without a lock; answers their names. A young lock may still be on its way. */
export async function unlockDeadHolders(client: pg.Client, living: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ holder: string }>(
    `select holder
       from (select distinct locked_by as holder
               from graphile_worker.jobs
              where locked_by is not null and locked_by <> all ($1::text[]) and locked_at < now() - interval '2 seconds') as held
      where pg_try_advisory_xact_lock(hashtextextended('job worker ' || holder, 0))`,
    [living],
  )
  const dead = rows.map((row) => row.holder)
  if (dead.length > 0) await client.query('select graphile_worker.force_unlock_workers($1::text[])', [dead])
  return dead
}

/**
 * Frees jobs that these holders have locked for longer than an answer takes, but do not have in hand. The connection
 * broke between the commit that gave the job and the answer. Answers the ids.
 */
export async function unlockLost(
  client: pg.Client,
  holders: readonly string[],
  inHand: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with lost as (
       update graphile_worker._private_jobs
          set locked_by = null, locked_at = null
        where locked_by = any ($1::text[]) and id <> all ($2::bigint[]) and locked_at < now() - interval '30 seconds'
       returning id, job_queue_id
     ), queues as (
       update graphile_worker._private_job_queues as queue
          set locked_by = null, locked_at = null
         from lost
        where queue.id = lost.job_queue_id and queue.locked_by = any ($1::text[])
     )
     select id::text from lost`,
    [holders, inHand],
  )
  return rows.map((row) => row.id)
}
