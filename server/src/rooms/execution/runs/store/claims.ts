import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'
import type { QueuedRun } from '../rules/turns.ts'
import { IN_FLIGHT, type RunRow } from './run-columns.ts'

const RUN_COLUMNS = sql.raw(IN_FLIGHT.join(', '))

/** The part of the queue that a round may take. */
export interface ClaimWish {
  readonly lanes: readonly string[]
  /** The limit for each lane, all teams together. */
  readonly limit: number
  /** The round takes only work of this run. */
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
  readonly created_at: Date
  /** The runner that handed back the attempt before. */
  readonly handed_back_by: string | null
}

/**
 * The lanes in which runs are queued or attempts wait. A loose index scan reads one index entry for each lane, even if
 * 100,000 runs are queued in it.
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

/** A locked run, and when a run of its team last began in its lane. */
export interface ClaimedRow extends RunRow, QueuedRun {}

/** The runs that were claimed of lanes with a single team, and the lanes that several teams share. */
export interface ClaimedAlone {
  readonly rows: readonly ClaimedRow[]
  readonly shared: readonly string[]
}

/**
 * Locks the next queued runs of each lane with a single team. Such a lane needs no turns, so one statement is enough. Rows
 * that another dispatcher has locked are skipped as they are read. The answer has no order.
 */
export async function lockAlone(tx: Tx, { lanes, limit, except }: ClaimWish): Promise<ClaimedAlone> {
  const { rows } = await sql<
    { readonly wanted: string; readonly other_team: string | null } & (ClaimedRow | { readonly id: null })
  >`
    with first as materialized (
      select wanted, (select team_path from runs where status = 'queued' and withheld is null and runs.lane = wanted
        order by team_path limit 1) as team_path
      from unnest(${lanes}::text[]) as wanted
    ), head as materialized (
      select wanted, team_path, (select runs.team_path from runs where status = 'queued' and withheld is null
          and runs.lane = wanted and runs.team_path > first.team_path order by runs.team_path limit 1) as other_team,
        (select started_at from runs where runs.lane = wanted and runs.team_path = first.team_path
          and started_at is not null order by started_at desc limit 1) as served_at
      from first where team_path is not null
    )
    select head.wanted, head.other_team, head.served_at, run.* from head left join lateral (
      select ${RUN_COLUMNS} from runs
      where head.other_team is null and runs.status = 'queued' and runs.withheld is null and runs.lane = head.wanted
        and runs.team_path = head.team_path and runs.id <> all (${except}::uuid[])
      order by runs.priority desc, runs.id limit ${limit} for update skip locked
    ) as run on true`.execute(tx)
  return {
    rows: rows.flatMap((row) => (row.id === null ? [] : [row])),
    shared: rows.flatMap(({ wanted, other_team: other }) => (other === null ? [] : [wanted])),
  }
}

/** A queued run that may have its turn. */
export interface CandidateRow extends QueuedRun {
  readonly lane: string
  /** So many of its team and lane were asked for. */
  readonly asked: number
}

/**
 * Some queued runs of each team of each lane, by priority and then by age. Locks of other dispatchers are not checked here,
 * and withheld runs are not in the queue. The answer has no order: `takeTurns` makes it. A loose index scan finds the teams,
 * so the cost grows with teams and answered rows, not with the queue. Each team is asked for `plenty` times its share. Where
 * other teams have less than theirs, the next round takes the rest.
 */
export async function listCandidates(
  tx: Tx,
  { lanes, limit, except }: ClaimWish,
  plenty: number,
): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    with recursive heads as (
      select wanted.lane, (select team_path from runs where status = 'queued' and withheld is null
        and runs.lane = wanted.lane order by team_path limit 1) as team_path
      from unnest(${lanes}::text[]) as wanted(lane)
      union all
      select heads.lane, (select team_path from runs where status = 'queued' and withheld is null
        and runs.lane = heads.lane and runs.team_path > heads.team_path order by team_path limit 1)
      from heads where heads.team_path is not null
    )
    select run.id, run.priority, line.* from (
      select lane, team_path,
        1 + ceil(${plenty}::float8 * ${limit}::bigint / count(*) over (partition by lane))::bigint as asked,
        (select started_at from runs as begun where begun.lane = heads.lane and begun.team_path = heads.team_path
          and started_at is not null order by started_at desc limit 1) as served_at
      from heads where team_path is not null
    ) as line cross join lateral (
      select runs.id, runs.priority from runs
      where runs.status = 'queued' and runs.withheld is null and runs.lane = line.lane
        and runs.team_path = line.team_path and runs.id <> all (${except}::uuid[])
      order by runs.priority desc, runs.id limit line.asked
    ) as run`.execute(tx)
  return rows
}

/**
 * Locks at most `limit` runs of each list, the first ones. Runs that another dispatcher has locked, or has begun since the
 * list was made, are skipped. Locked runs that do not begin stay queued when the transaction ends.
 */
export async function lockQueued(tx: Tx, lists: readonly (readonly string[])[], limit: number): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select run.* from json_to_recordset(${JSON.stringify(lists.map((ids) => ({ ids })))}::json) as list(ids uuid[])
    cross join lateral (
      select locked.* from unnest(list.ids) as candidate(id) cross join lateral (
        select ${RUN_COLUMNS} from runs
        where runs.id = candidate.id and runs.status = 'queued' and runs.withheld is null
        for update skip locked
      ) as locked
      limit ${limit}
    ) as run`.execute(tx)
  return rows
}

/** Locks one queued run, by the primary key. */
export async function lockOneQueued(tx: Tx, lanes: readonly string[], id: string): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS} from runs
    where id = ${id} and status = 'queued' and withheld is null and lane = any (${lanes}::text[])
    for update skip locked`.execute(tx)
  return rows
}

/** Locks attempts that wait for a runner, those of the oldest run first; attempts that another dispatcher has locked are left out. */
export async function claimWaiting(tx: Tx, { lanes, limit, only, except }: ClaimWish): Promise<WaitingRow[]> {
  if (only !== undefined) return await claimWaitingOfOne(tx, lanes, only)
  const { rows } = await sql<WaitingRow>`
    select attempt.* from unnest(${lanes}::text[]) as wanted(lane)
    cross join lateral (
      select attempts.id, run_id, step, task, number, attempts.lane, runs.team_path, runs.priority,
        attempts.created_at, attempts.handed_back_by
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
    select attempts.id, run_id, step, task, number, attempts.lane, runs.team_path, runs.priority,
      attempts.created_at, attempts.handed_back_by
    from attempts join runs on runs.id = attempts.run_id
    where attempts.run_id = ${runId} and attempts.status = 'waiting' and attempts.lane = any (${lanes}::text[])
    order by attempts.id for update of attempts skip locked`.execute(tx)
  return rows
}
