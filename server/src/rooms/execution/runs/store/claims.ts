import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'
import type { RunRow } from '../rules/stored-rows.ts'
import type { QueuedRun } from '../rules/turns.ts'
import { RUN_COLUMNS } from './run-columns.ts'

/** What of the queue a round may take. */
export interface ClaimWish {
  readonly lanes: readonly string[]
  /** Of each lane, whichever teams they are of. */
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
  readonly team_path: string
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

/** A queued run, and when a run of its team last began in its lane. */
export interface ClaimedRow extends RunRow, QueuedRun {
  /** So many of its team and lane were asked for. */
  readonly asked: number
}

/**
 * Locks some queued runs of each team of each lane, those of the highest priority first and of these the oldest; runs that
 * another dispatcher holds are passed over. Withheld runs are not in the queue. In no order: that is made by `takeTurns`.
 * Those that are not started stay queued when the transaction ends. Teams are found by a loose index scan, so the cost is
 * that of the teams and of what is answered, however long the queue is. Of several teams each is asked for twice what falls
 * to it: where others have less than that, the next round has what is left.
 */
export async function claimQueued(tx: Tx, { lanes, limit, only, except }: ClaimWish): Promise<ClaimedRow[]> {
  if (only !== undefined) return await claimOneQueued(tx, lanes, only)
  const { rows } = await sql<ClaimedRow>`
    with recursive heads as (
      select wanted.lane, (select team_path from runs where status = 'queued' and withheld is null
        and runs.lane = wanted.lane order by team_path limit 1) as team_path
      from unnest(${lanes}::text[]) as wanted(lane)
      union all
      select heads.lane, (select team_path from runs where status = 'queued' and withheld is null
        and runs.lane = heads.lane and runs.team_path > heads.team_path order by team_path limit 1)
      from heads where heads.team_path is not null
    )
    select run.*, line.asked, (select started_at from runs as begun where begun.lane = line.lane
      and begun.team_path = line.team_path and started_at is not null order by started_at desc limit 1) as served_at
    from (
      select lane, team_path, case count(*) over (partition by lane) when 1 then ${limit}::bigint
        else 1 + ceil(2.0 * ${limit}::bigint / count(*) over (partition by lane))::bigint end as asked
      from heads where team_path is not null
    ) as line cross join lateral (
      select ${RUN_COLUMNS} from runs
      where runs.status = 'queued' and runs.withheld is null and runs.lane = line.lane
        and runs.team_path = line.team_path and runs.id <> all (${except}::uuid[])
      order by runs.priority desc, runs.id limit line.asked for update skip locked
    ) as run`.execute(tx)
  return rows
}

/** By the primary key. */
async function claimOneQueued(tx: Tx, lanes: readonly string[], id: string): Promise<ClaimedRow[]> {
  const { rows } = await sql<ClaimedRow>`
    select ${RUN_COLUMNS}, null::timestamptz as served_at, 1::bigint as asked from runs
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
      select attempts.id, run_id, step, task, number, attempts.lane, runs.team_path, runs.priority
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
    select attempts.id, run_id, step, task, number, attempts.lane, runs.team_path, runs.priority
    from attempts join runs on runs.id = attempts.run_id
    where attempts.run_id = ${runId} and attempts.status = 'waiting' and attempts.lane = any (${lanes}::text[])
    order by attempts.id for update of attempts skip locked`.execute(tx)
  return rows
}
