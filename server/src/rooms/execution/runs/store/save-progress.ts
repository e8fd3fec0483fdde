import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import type { PinRow, RunSave, StepRow, TaskRow } from '../rules/stored-rows.ts'

export interface AttemptInsert {
  readonly id: string
  readonly run_id: string
  readonly step: string
  readonly task: string
  readonly number: number
  /** child: a run of another pipeline is made for it; failure: none could be made. */
  readonly status: 'waiting' | 'leased' | 'child' | 'failure' | 'canceled'
  readonly scope: string
  readonly requirement: unknown
  readonly reason: string | null
  readonly runner_id: string | null
  readonly lease_expires_at: Date | null
  readonly finished_at: Date | null
  readonly child_run_id?: string | undefined
  /** Of a child: when the time limit of its task is over. */
  readonly deadline_at?: Date | undefined
}

/** An attempt that waited and now has a runner. */
export interface AttemptLease {
  readonly id: string
  readonly runner_id: string
  readonly lease_expires_at: Date
}

/** What a runner said of an attempt, or the lease sweep; `status` null: it has only begun. */
export interface AttemptReport {
  readonly id: string
  readonly status: 'success' | 'failure' | 'timed_out' | 'canceled' | 'lost' | null
  readonly exit_code: number | null
  readonly reason: string | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
}

export interface AttemptCancel {
  readonly run_id: string
  readonly step: string
  readonly task: string
  readonly number: number
  readonly reason: string
}

/** Everything that one round of the dispatcher changes. No attempt may be in two of the lists. */
export interface ProgressSave {
  readonly at: Date
  readonly runs: readonly RunSave[]
  readonly steps: readonly StepRow[]
  readonly tasks: readonly TaskRow[]
  readonly inserts: readonly AttemptInsert[]
  readonly leases: readonly AttemptLease[]
  readonly reports: readonly AttemptReport[]
  readonly cancels: readonly AttemptCancel[]
  readonly pins: readonly PinRow[]
}

export interface SavedAttempt {
  readonly id: string
  readonly fence: number
  readonly runner_id: string
}

export interface ProgressSaved {
  /** Runs whose revision was still the one that was computed from. */
  readonly runs: ReadonlySet<string>
  /** Attempts that were leased, with their fences. */
  readonly leased: readonly SavedAttempt[]
  /** Attempts on a runner that were asked to end. */
  readonly canceled: readonly (SavedAttempt & { readonly reason: string })[]
  /** Runs that were made for attempts which were asked to end: they are to be canceled. */
  readonly orphans: readonly { readonly runId: string; readonly reason: string }[]
}

/**
 * One statement, so that any number of results costs one round trip. A run whose revision has moved on is missing from
 * `runs`: the caller must roll back then. Reports apply only to attempts that are still leased, or have a child.
 * The ids stand there a second time because the planner takes any JSON for a hundred rows, and would read a table of
 * some thousand as a whole; of an array it expects few.
 */
export async function saveProgress(tx: Tx, save: ProgressSave): Promise<ProgressSaved> {
  const { rows } = await sql<SavedRow>`
    with given_runs as (
      select * from json_to_recordset(${JSON.stringify(save.runs)}::json) as given(id uuid, revision bigint, status text,
        reason text, ending jsonb, started_at timestamptz, finished_at timestamptz, deadline_at timestamptz,
        paused_at timestamptz, lost_attempts integer, final_output_status text)
    ), saved_runs as (
      update runs set revision = given.revision + 1, status = given.status, reason = given.reason,
        ending = given.ending, started_at = given.started_at, finished_at = given.finished_at,
        deadline_at = given.deadline_at, paused_at = given.paused_at, lost_attempts = given.lost_attempts,
        final_output_status = given.final_output_status
      from given_runs as given
      where runs.id = given.id and runs.id = any (${idsOf(save.runs)}::uuid[]) and runs.revision = given.revision
      returning runs.id
    ), saved_steps as (
      insert into run_steps as old (run_id, step, position, status, reason, blocks, timed_out, started_at, finished_at,
        deadline_at)
      select run_id, step, position, status, reason, blocks, timed_out, started_at, finished_at, deadline_at
      from json_to_recordset(${JSON.stringify(save.steps)}::json) as given(run_id uuid, step text, position integer,
        status text, reason text, blocks boolean, timed_out text, started_at timestamptz, finished_at timestamptz,
        deadline_at timestamptz)
      on conflict (run_id, step) do update set status = excluded.status, reason = excluded.reason,
        blocks = excluded.blocks, timed_out = excluded.timed_out,
        started_at = coalesce(old.started_at, excluded.started_at), finished_at = excluded.finished_at,
        deadline_at = coalesce(excluded.deadline_at, old.deadline_at)
    ), saved_tasks as (
      insert into run_tasks as old (run_id, step, task, position, status, reason, blocks, attempt, exit_code, outputs,
        losses_before, retry_at, started_at, finished_at)
      select run_id, step, task, position, status, reason, blocks, attempt, exit_code, outputs, losses_before, retry_at,
        started_at, finished_at
      from json_to_recordset(${JSON.stringify(save.tasks)}::json) as given(run_id uuid, step text, task text,
        position integer, status text, reason text, blocks boolean, attempt integer, exit_code integer, outputs jsonb,
        losses_before integer, retry_at timestamptz, started_at timestamptz, finished_at timestamptz)
      on conflict (run_id, step, task) do update set status = excluded.status, reason = excluded.reason,
        blocks = excluded.blocks, attempt = excluded.attempt, exit_code = excluded.exit_code,
        outputs = excluded.outputs, losses_before = excluded.losses_before, retry_at = excluded.retry_at,
        started_at = coalesce(old.started_at, excluded.started_at), finished_at = excluded.finished_at
    ), inserted as (
      insert into attempts (id, run_id, step, task, number, status, scope, requirement, reason, fence, runner_id,
        lease_expires_at, created_at, leased_at, started_at, finished_at, child_run_id, deadline_at)
      select id, run_id, step, task, number, status, scope, requirement, reason,
        case when status = 'leased' then nextval('attempt_fences') end, runner_id, lease_expires_at, ${save.at},
        case when status = 'leased' then ${save.at}::timestamptz end,
        case when status = 'child' then ${save.at}::timestamptz end, finished_at, child_run_id, deadline_at
      from json_to_recordset(${JSON.stringify(save.inserts)}::json) as given(id uuid, run_id uuid, step text, task text,
        number integer, status text, scope text, requirement jsonb, reason text, runner_id uuid,
        lease_expires_at timestamptz, finished_at timestamptz, child_run_id uuid, deadline_at timestamptz)
      returning id, run_id, fence, runner_id
    ), leased as (
      update attempts set status = 'leased', fence = nextval('attempt_fences'), runner_id = given.runner_id,
        lease_expires_at = given.lease_expires_at, leased_at = ${save.at}
      from json_to_recordset(${JSON.stringify(save.leases)}::json) as given(id uuid, runner_id uuid,
        lease_expires_at timestamptz)
      where attempts.id = given.id and attempts.id = any (${idsOf(save.leases)}::uuid[]) and attempts.status = 'waiting'
      returning attempts.id, attempts.run_id, attempts.fence, attempts.runner_id
    ), workspaces as (
      insert into run_workspaces (runner_id, run_id)
      select runner_id, run_id from inserted where fence is not null
      union select runner_id, run_id from leased
      on conflict do nothing
    ), pinned as (
      insert into run_pins (run_id, step, task, revision_id, pinned_at)
      select run_id, step, task, revision_id, ${save.at}
      from json_to_recordset(${JSON.stringify(save.pins)}::json) as given(run_id uuid, step text, task text,
        revision_id uuid)
      on conflict do nothing
    ), reported as (
      update attempts set status = coalesce(given.status, attempts.status), exit_code = given.exit_code,
        reason = given.reason, started_at = coalesce(attempts.started_at, given.started_at),
        finished_at = given.finished_at
      from json_to_recordset(${JSON.stringify(save.reports)}::json) as given(id uuid, status text, exit_code integer,
        reason text, started_at timestamptz, finished_at timestamptz)
      where attempts.id = given.id and attempts.id = any (${idsOf(save.reports)}::uuid[])
        and attempts.status in ('leased', 'child')
    ), canceled as (
      update attempts set cancel_requested_at = ${save.at}, cancel_reason = given.reason,
        status = case when attempts.status = 'waiting' then 'canceled' else attempts.status end,
        finished_at = case when attempts.status = 'waiting' then ${save.at}::timestamptz end
      from json_to_recordset(${JSON.stringify(save.cancels)}::json) as given(run_id uuid, step text, task text,
        number integer, reason text)
      where attempts.run_id = given.run_id and attempts.step = given.step and attempts.task = given.task
        and attempts.number = given.number and attempts.status in ('waiting', 'leased', 'child')
      returning attempts.id, attempts.fence, attempts.runner_id, attempts.cancel_reason,
        case when attempts.status = 'child' then attempts.child_run_id end as child_run_id
    )
    select 'run' as kind, id, null::bigint as fence, null::uuid as runner_id,
      null as reason
    from saved_runs, lateral pg_notify('run_changed', id::text)
    union all select 'leased', id, fence, runner_id, null from inserted where fence is not null
    union all select 'leased', id, fence, runner_id, null from leased
    union all select 'canceled', id, fence, runner_id, cancel_reason from canceled where fence is not null
    union all select 'orphan', child_run_id, null, null, cancel_reason from canceled
      where child_run_id is not null`.execute(tx)
  const attempts = (wanted: string) =>
    rows.flatMap(({ kind, id, fence, runner_id, reason }) =>
      kind === wanted && fence !== null && runner_id !== null ? [{ id, fence, runner_id, reason: reason ?? '' }] : [],
    )
  return {
    runs: new Set(rows.filter((row) => row.kind === 'run').map((row) => row.id)),
    leased: attempts('leased'),
    canceled: attempts('canceled'),
    orphans: rows.flatMap(({ kind, id, reason }) => (kind === 'orphan' ? [{ runId: id, reason: reason ?? '' }] : [])),
  }
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map((row) => row.id)
}

interface SavedRow {
  readonly kind: string
  readonly id: string
  readonly fence: number | null
  readonly runner_id: string | null
  readonly reason: string | null
}
