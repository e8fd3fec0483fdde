import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/database'
import type { RanImage } from '../rules/stored-json.ts'
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
  /** The runner that handed back the attempt before: it is not the next at once. */
  readonly handed_back_by?: string | undefined
  /** Of a child: when the time limit of its task is over. */
  readonly deadline_at?: Date | undefined
}

/** An attempt that waited and now has a runner. */
export interface AttemptLease {
  readonly id: string
  readonly runner_id: string
  readonly lease_expires_at: Date
}

/** The report of a runner, or of the lease sweep, about an attempt; `status` null: the attempt has only begun. */
export interface AttemptReport {
  readonly id: string
  readonly status: 'success' | 'failure' | 'timed_out' | 'canceled' | 'lost' | null
  readonly exit_code: number | null
  readonly reason: string | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
  /** Absent: what was said before stays. */
  readonly images?: readonly RanImage[] | undefined
  /** The runner itself says how it ended, behind all lines of its log. */
  readonly end_reported?: boolean
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
  /** Runs that still had the revision from which the progress was computed. */
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
 * `runs`: the caller must roll back then. Reports apply only to attempts that have not ended. The text leaves out empty
 * lists, because PostgreSQL would open their tables and indexes all the same. Few combinations occur, so all of them are
 * prepared.
 */
export async function saveProgress(tx: Tx, save: ProgressSave): Promise<ProgressSaved> {
  const parts = partsOf(save)
  const answers = parts.flatMap(({ answer }) => answer ?? [])
  const { rows } = await sql<SavedRow>`
    with ${sql.join(parts.map(({ text }) => text))}
    ${answers.length === 0 ? NOTHING : sql.join(answers, sql` union all `)}`.execute(tx)
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

interface SavedRow {
  readonly kind: string
  readonly id: string
  readonly fence: number | null
  readonly runner_id: string | null
  readonly reason: string | null
}

/** A statement of the whole, and what of its rows is answered. */
interface Part {
  readonly text: RawBuilder<unknown>
  readonly answer?: RawBuilder<unknown>
}

const NOTHING = sql`select null as kind, null::uuid as id, null::bigint as fence, null::uuid as runner_id, null as reason
  where false`

/** Tells that what a runner has in hand has changed; equal notifications of a transaction are one. */
const TELL_RUNNER = sql`pg_notify('runner_leases', runner_id::text)`

function partsOf({ at, runs, steps, tasks, inserts, leases, reports, cancels, pins }: ProgressSave): Part[] {
  return [
    ...(runs.length > 0 ? [saveRuns(runs)] : []),
    ...(steps.length > 0 ? [saveSteps(steps)] : []),
    ...(tasks.length > 0 ? [saveTasks(tasks)] : []),
    ...(inserts.length > 0 ? [insertAttempts(inserts, at)] : []),
    ...(leases.length > 0 ? [leaseAttempts(leases, at)] : []),
    ...(pins.length > 0 ? [savePins(pins, at)] : []),
    ...(reports.length > 0 ? [reportAttempts(reports)] : []),
    ...(cancels.length > 0 ? [cancelAttempts(cancels, at)] : []),
  ]
}

/** The columns that these rows name; each row of a list names the same. */
function columnsOf(rows: readonly object[]): string[] {
  return Object.keys(rows[0] ?? {}).toSorted()
}

/** `status = excluded.status, …` for all of these columns but some. */
function assigned(columns: readonly string[], from: 'given' | 'excluded', but: readonly string[]): RawBuilder<unknown> {
  const taken = columns.filter((column) => !but.includes(column))
  return sql.raw(taken.map((column) => `${column} = ${from}.${column}`).join(', '))
}

function saveRuns(runs: readonly RunSave[]): Part {
  return {
    text: sql`saved_runs as (
      update runs set revision = given.revision + 1, ${assigned(columnsOf(runs), 'given', ['id', 'revision'])}
      from json_populate_recordset(null::runs, ${JSON.stringify(runs)}::json) as given
      where runs.id = given.id and runs.id = any (${idsOf(runs)}) and runs.revision = given.revision
      returning runs.id)`,
    answer: sql`select 'run' as kind, id, null::bigint as fence, null::uuid as runner_id, null as reason
      from saved_runs, lateral pg_notify('run_changed', id::text)`,
  }
}

function saveSteps(steps: readonly StepRow[]): Part {
  const columns = columnsOf(steps)
  const list = sql.raw(columns.join(', '))
  const kept = ['run_id', 'step', 'position', 'started_at', 'deadline_at']
  return {
    text: sql`saved_steps as (
      insert into run_steps as old (${list})
      select ${list} from json_populate_recordset(null::run_steps, ${JSON.stringify(steps)}::json)
      on conflict (run_id, step) do update set ${assigned(columns, 'excluded', kept)},
        started_at = coalesce(old.started_at, excluded.started_at),
        deadline_at = coalesce(excluded.deadline_at, old.deadline_at))`,
  }
}

function saveTasks(tasks: readonly TaskRow[]): Part {
  const columns = columnsOf(tasks)
  const list = sql.raw(columns.join(', '))
  const kept = ['run_id', 'step', 'task', 'position', 'started_at']
  return {
    text: sql`saved_tasks as (
      insert into run_tasks as old (${list})
      select ${list} from json_populate_recordset(null::run_tasks, ${JSON.stringify(tasks)}::json)
      on conflict (run_id, step, task) do update set ${assigned(columns, 'excluded', kept)},
        started_at = coalesce(old.started_at, excluded.started_at))`,
  }
}

function insertAttempts(inserts: readonly AttemptInsert[], at: Date): Part {
  return {
    text: sql`inserted as (
      insert into attempts (id, run_id, step, task, number, status, scope, requirement, reason, fence, runner_id,
        lease_expires_at, created_at, leased_at, started_at, finished_at, child_run_id, deadline_at, handed_back_by)
      select id, run_id, step, task, number, status, scope, requirement, reason,
        case when status = 'leased' then nextval('attempt_fences') end, runner_id, lease_expires_at, ${at},
        case when status = 'leased' then ${at}::timestamptz end,
        case when status = 'child' then ${at}::timestamptz end, finished_at, child_run_id, deadline_at,
        handed_back_by
      from json_populate_recordset(null::attempts, ${JSON.stringify(inserts)}::json)
      returning id, fence, runner_id)`,
    answer: sql`select 'leased' as kind, id, fence, runner_id, null as reason
      from inserted, lateral ${TELL_RUNNER} where fence is not null`,
  }
}

function leaseAttempts(leases: readonly AttemptLease[], at: Date): Part {
  return {
    text: sql`leased as (
      update attempts set status = 'leased', fence = nextval('attempt_fences'), runner_id = given.runner_id,
        lease_expires_at = given.lease_expires_at, leased_at = ${at}
      from json_populate_recordset(null::attempts, ${JSON.stringify(leases)}::json) as given
      where attempts.id = given.id and attempts.id = any (${idsOf(leases)}) and attempts.status = 'waiting'
      returning attempts.id, attempts.fence, attempts.runner_id)`,
    answer: sql`select 'leased' as kind, id, fence, runner_id, null as reason from leased, lateral ${TELL_RUNNER}`,
  }
}

function savePins(pins: readonly PinRow[], at: Date): Part {
  return {
    text: sql`pinned as (
      insert into run_pins (run_id, step, task, revision_id, pinned_at)
      select run_id, step, task, revision_id, ${at}
      from json_populate_recordset(null::run_pins, ${JSON.stringify(pins)}::json)
      on conflict do nothing)`,
  }
}

/** Nothing reads it, so PostgreSQL runs it last: of an attempt that begins and is canceled in one round the cancel stays. */
function reportAttempts(reports: readonly AttemptReport[]): Part {
  return {
    text: sql`reported as (
      update attempts set status = coalesce(given.status, attempts.status), exit_code = given.exit_code,
        reason = given.reason, started_at = coalesce(attempts.started_at, given.started_at),
        finished_at = given.finished_at, images = coalesce(given.images, attempts.images),
        end_reported = coalesce(given.end_reported, false)
      from json_populate_recordset(null::attempts, ${JSON.stringify(reports)}::json) as given
      where attempts.id = given.id and attempts.id = any (${idsOf(reports)})
        and attempts.status in ('leased', 'child', 'waiting')
      returning case when attempts.runner_id is not null and attempts.status <> 'leased'
        then pg_notify('runner_leases', attempts.runner_id::text) end)`,
  }
}

function cancelAttempts(cancels: readonly AttemptCancel[], at: Date): Part {
  return {
    text: sql`canceled as (
      update attempts set cancel_requested_at = ${at}, cancel_reason = given.reason,
        status = case when attempts.status = 'waiting' then 'canceled' else attempts.status end,
        finished_at = case when attempts.status = 'waiting' then ${at}::timestamptz end
      from json_populate_recordset(null::attempts, ${JSON.stringify(cancels)}::json) as given
      where attempts.run_id = given.run_id and attempts.step = given.step and attempts.task = given.task
        and attempts.number = given.number and attempts.status in ('waiting', 'leased', 'child')
      returning attempts.id, attempts.fence, attempts.runner_id, attempts.cancel_reason,
        case when attempts.status = 'child' then attempts.child_run_id end as child_run_id)`,
    answer: sql`select 'canceled' as kind, id, fence, runner_id, cancel_reason as reason
      from canceled, lateral ${TELL_RUNNER} where fence is not null
      union all select 'orphan', child_run_id, null, null, cancel_reason from canceled where child_run_id is not null`,
  }
}

/**
 * The ids of the rows once more, as an array. The planner expects a hundred rows of any JSON and would scan a table of some
 * thousand rows; of an array it expects few. The select hides the array's length. Otherwise the planner would make a plan
 * for each array, and planning is a sixth of the cost of a save.
 */
function idsOf(rows: readonly { readonly id: string }[]): RawBuilder<unknown> {
  return sql`(select ${rows.map((row) => row.id)}::uuid[])::uuid[]`
}
