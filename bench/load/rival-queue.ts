import { type JobHelpers, Logger, makeWorkerUtils, run } from 'graphile-worker'
import type pg from 'pg'
import { waitFor } from '../../e2e/house/wait.ts'
import { databaseOf, type HouseUnderTest } from '../house-under-test.ts'

/** As its documentation advises for many small jobs. */
const CONCURRENCY = 10
const LOCAL_QUEUE = 500
const LEAD_MS = 5000
const NAME = 'rival'

/**
 * graphile-worker in a database of its own on the same server: jobs that are due at once, each of which stores one row.
 * Answers the seconds from that instant to the last row.
 */
export async function fireByQueue(subject: HouseUnderTest, jobs: number): Promise<number> {
  await subject.query(`create database ${NAME}`)
  const pool = databaseOf(subject.house.dataDir, NAME, CONCURRENCY + 4)
  pool.on('error', () => undefined)
  const logger = new Logger(() => () => undefined)
  const tools = await makeWorkerUtils({ pgPool: pool, logger })
  try {
    await tools.migrate()
    await pool.query('create table stored (job int primary key, at timestamptz not null)')
    const at = new Date(Date.now() + LEAD_MS)
    await pool.query(ADD, [jobs, at])
    const runner = await run({
      pgPool: pool,
      logger,
      noHandleSignals: true,
      concurrency: CONCURRENCY,
      pollInterval: 1000,
      preset: { worker: { localQueue: { size: LOCAL_QUEUE } } },
      taskList: { store },
    })
    await new Promise((resolve) => setTimeout(resolve, at.getTime() - Date.now()))
    await waitFor(
      'the last job',
      () => count(pool),
      (stored) => stored === jobs,
      300_000,
    )
    const seconds = (Date.now() - at.getTime()) / 1000
    await runner.stop()
    return seconds
  } finally {
    await tools.release()
    await pool.end()
  }
}

async function count(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from stored')
  return rows[0]?.count ?? 0
}

async function store(payload: unknown, { query }: JobHelpers): Promise<void> {
  await query('insert into stored values ($1, now())', [Object(payload)['job']])
}

const ADD = `
  select count(*) from generate_series(1, $1::int) as job,
    graphile_worker.add_job('store', json_build_object('job', job), run_at := $2::timestamptz)`
