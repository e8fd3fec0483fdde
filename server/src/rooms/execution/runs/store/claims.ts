import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'
import type { RunRow } from '../rules/stored-rows.ts'
import { RUN_COLUMNS } from './run-columns.ts'

/** What of the queue a round may take. */
export interface ClaimWish {
  readonly lanes: readonly string[]
  /** Of each lane. */
  readonly limit: number
  /** What belongs to this run, and nothing else. */
  readonly only: string | undefined
  /** Runs that are left alone. */
  readonly except: readonly string[]
}

/** An attempt that no runner has. */
export interface WaitingRow {
  readonly id: string
  readonly run_id: string
  readonly step: string
  readonly task: string
  readonly number: number
  readonly lane: string
  /** Of its run. */
  readonly priority: number
}

/**
 * The lanes in which runs are queued or attempts wait. A loose index scan: its cost is the number of lanes, not of
 * runs, so 100,000 queued runs of one lane are one index entry read.
 */
export async function listLanes(db: Queryable): Promise<{ queued: string[]; waiting: string[] }> {
  const { rows } = await sql<{ kind: string; lane: string }>`
    with recursive queued as (
      (select lane from runs where status = 'queued' and withheld is null order by lane limit 1)
      union all
      select (select next.lane from runs as next where next.status = 'queued' and next.withheld is null
        and next.lane > queued.lane order by next.lane limit 1) from queued where queued.lane is not null
    ), waiting as (
      (select lane from attempts where status = 'waiting' order by lane limit 1)
      union all
      select (select next.lane from attempts as next where next.status = 'waiting' and next.lane > waiting.lane
        order by next.lane limit 1) from waiting where waiting.lane is not null
    )
    select 'queued' as kind, lane from queued where lane is not null
    union all
    select 'waiting', lane from waiting where lane is not null`.execute(db)
  return {
    queued: rows.filter((row) => row.kind === 'queued').map((row) => row.lane),
    waiting: rows.filter((row) => row.kind === 'waiting').map((row) => row.lane),
  }
}

/**
 * Locks at most `limit` queued runs of each lane, those of the highest priority first and of these the oldest; runs that
 * another dispatcher holds are passed over. Withheld runs are not in the queue. Answers them in the same order, over all
 * lanes. Those that are not started stay queued when the transaction ends.
 */
export async function claimQueued(tx: Tx, { lanes, limit, only, except }: ClaimWish): Promise<RunRow[]> {
  if (only !== undefined) return await claimOneQueued(tx, lanes, only)
  const { rows } = await sql<RunRow>`
    select run.* from unnest(${lanes}::text[]) as wanted(lane)
    cross join lateral (
      select ${RUN_COLUMNS} from runs
      where runs.status = 'queued' and runs.withheld is null and runs.lane = wanted.lane
        and runs.id <> all (${except}::uuid[])
      order by runs.priority desc, runs.id limit ${limit} for update skip locked
    ) as run
    order by run.priority desc, run.id`.execute(tx)
  return rows
}

/** By the primary key. */
async function claimOneQueued(tx: Tx, lanes: readonly string[], id: string): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS} from runs
    where id = ${id} and status = 'queued' and withheld is null and lane = any (${lanes}::text[])
    for update skip locked`.execute(tx)
  return rows
}

/** As `claimQueued`, for attempts that wait for a runner; those of the oldest run first, so that runs begun are ended. */
export async function claimWaiting(tx: Tx, { lanes, limit, only, except }: ClaimWish): Promise<WaitingRow[]> {
  if (only !== undefined) return await claimWaitingOfOne(tx, lanes, only)
  const { rows } = await sql<WaitingRow>`
    select attempt.* from unnest(${lanes}::text[]) as wanted(lane)
    cross join lateral (
      select attempts.id, run_id, step, task, number, attempts.lane, runs.priority
      from attempts join runs on runs.id = attempts.run_id
      where attempts.status = 'waiting' and attempts.lane = wanted.lane
        and attempts.run_id <> all (${except}::uuid[])
      order by attempts.run_id, attempts.id limit ${limit} for update of attempts skip locked
    ) as attempt
    order by attempt.run_id, attempt.id`.execute(tx)
  return rows
}

/** By the index of a run's attempts. */
async function claimWaitingOfOne(tx: Tx, lanes: readonly string[], runId: string): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select attempts.id, run_id, step, task, number, attempts.lane, runs.priority
    from attempts join runs on runs.id = attempts.run_id
    where attempts.run_id = ${runId} and attempts.status = 'waiting' and attempts.lane = any (${lanes}::text[])
    order by attempts.id for update of attempts skip locked`.execute(tx)
  return rows
}
