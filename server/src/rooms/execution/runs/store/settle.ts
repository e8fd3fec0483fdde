import { sql } from 'kysely'
import type { Queryable, Statement } from '#platform/database'

/** See the migration of `settle_runs`. `telling`: of run.finished. */
export interface SettleOrder {
  readonly ids: readonly string[]
  readonly arrived: boolean
  readonly at: Date
  readonly telling: string
}

/** Answers the runs that it ended: run_id and run_cause of each. */
export function settleRuns({ ids, arrived, at, telling }: SettleOrder): Statement {
  return { text: SETTLE_RUNS, values: [JSON.stringify(ids), String(arrived), at.toISOString(), telling] }
}

const SETTLE_RUNS = `
  select run_id, run_cause from settle_runs(
    array(select json_array_elements_text($1::json)::uuid), $2::boolean, $3::timestamptz, $4::jsonb)`

/** Whose unfinished runs are to end: those of a stored trigger, or of an entry in the repository's manifest. */
export interface CancelRow {
  readonly trigger_id: string | null
  readonly manifest_trigger: string | null
  readonly team_path: string | null
  readonly repository: string
  readonly pull_request: number
  readonly reason: string
}

/** Answers the runs that it ended: run_id and run_cause of each. */
export function cancelRunsOf(rows: readonly CancelRow[], at: Date, telling: string): Statement {
  return { text: CANCEL_RUNS, values: [JSON.stringify(rows), at.toISOString(), telling] }
}

const CANCEL_RUNS = `
  select run_id, run_cause from cancel_runs_of_pull_requests($1::jsonb, $2::timestamptz, $3::jsonb)`

/** Before the row of one of these runs is locked, where `settleRuns` follows: the order of locks is the same for all. */
export async function lockGroups(db: Queryable, ids: readonly string[]): Promise<void> {
  await sql`select lock_run_groups(${ids}::uuid[])`.execute(db)
}

export interface RunGroup {
  readonly team_path: string
  readonly concurrency_group: string
}

/** Groups in which a run waits for its turn and none is before it. A loose index scan: the cost is the number of groups. */
export async function listFreeGroups(db: Queryable): Promise<readonly RunGroup[]> {
  const { rows } = await sql<RunGroup>`
    with recursive turns as (
      (select team_path, concurrency_group from runs where withheld = 'group' and finished_at is null
        order by team_path, concurrency_group limit 1)
      union all
      select next.team_path, next.concurrency_group from turns cross join lateral (
        select team_path, concurrency_group from runs where withheld = 'group' and finished_at is null
          and (team_path, concurrency_group) > (turns.team_path, turns.concurrency_group)
        order by team_path, concurrency_group limit 1) as next
    )
    select team_path, concurrency_group from turns where not exists (
      select from runs where runs.team_path = turns.team_path
        and runs.concurrency_group = turns.concurrency_group and finished_at is null and withheld is null)`.execute(db)
  return rows
}

/** Whoever releases groups hears of it when the transaction commits. */
export async function tellGroupLeft(db: Queryable): Promise<void> {
  await sql`select pg_notify('runs_group_left', '')`.execute(db)
}

/** By itself, never within a transaction that has locked rows: it waits for who decides about the group. */
export async function releaseGroup(db: Queryable, { team_path, concurrency_group }: RunGroup): Promise<boolean> {
  const { rows } = await sql<{ released: boolean }>`
    select release_run_group(${team_path}, ${concurrency_group}) as released`.execute(db)
  return rows[0]?.released ?? false
}

/** Behind which run one waits in its group: the last that waits before it, else the one whose turn it is. */
export async function findRunBefore(
  db: Queryable,
  run: RunGroup & { readonly id: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from runs where team_path = ${run.team_path} and concurrency_group = ${run.concurrency_group}
      and finished_at is null and (withheld is null or withheld = 'group' and id < ${run.id})
    order by withheld is null, id desc limit 1`.execute(db)
  return rows[0]?.id
}
