import { sql } from 'kysely'
import { execute, type Statement, type Tx } from '#platform/database'
import type { StandingRun } from '../rules/standing-run.ts'

/** Of StandingRun. Times in microseconds, as PostgreSQL keeps them. */
const COLUMNS = `
  id, status, cause, withheld, note, scope, repository, coalesce(ancestors, '{}') as ancestors,
  team_path as "teamPath", concurrency_group as "group", on_conflict as "onConflict", clone_url as "cloneUrl",
  pull_request as "pullRequest", commit_sha as "commitSha", event_id as "eventId", pipeline_id as "pipelineId",
  pipeline_identifier as "pipeline", cancel_requested_at is not null as "isCanceling",
  (extract(epoch from occurred_at) * 1000000)::bigint as "occurredAt",
  (extract(epoch from queued_at) * 1000000)::bigint as "queuedAt"`

/**
 * Locks the groups and pull requests of these runs until the transaction ends, in one order for all. Transactions therefore
 * decide about them one after the other.
 */
export function lockingGroups(ids: readonly string[]): Statement {
  return { text: LOCK_GROUPS, values: [JSON.stringify(ids)] }
}

const LOCK_GROUPS = `
  select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(name, 0) as key
    from runs cross join lateral (values
      (case when concurrency_group is not null then 'runs of group ' || team_path || ' ' || concurrency_group end),
      (case when pull_request is not null then 'runs of pull request ' || repository || ' ' || pull_request end)
    ) as names(name)
    where runs.id = any (array(select json_array_elements_text($1::json)::uuid)) and name is not null
    order by key) as keys`

/** Before the row of one of these runs is locked, where the runs are settled later. */
export async function lockGroups(tx: Tx, ids: readonly string[]): Promise<void> {
  await execute(tx, lockingGroups(ids))
}

/**
 * These runs and those of their groups and pull requests that have not finished. After `lockingGroups`, in a statement of
 * its own, so that it sees what the transaction before has decided.
 *
 * Only rows that may change are locked. Where every given run of a group waits or is skipped, the oldest run of the group is
 * enough. The row of the oldest run is not locked: a run that ends while the statement waits for its lock would be left out.
 */
export function standingRuns(ids: readonly string[]): Statement<StandingRun> {
  return { text: STANDING_RUNS, values: [JSON.stringify(ids)] }
}

const STANDING_RUNS = `
  with given as (
    select id, team_path, concurrency_group, on_conflict, repository, pull_request, cause, withheld
    from runs where id = any (array(select json_array_elements_text($1::json)::uuid))
  ), given_groups as (
    select team_path, concurrency_group, bool_or(on_conflict = 'cancel_running') as may_end_others
    from given where concurrency_group is not null and withheld is distinct from 'fork_approval'
    group by team_path, concurrency_group
  ), wanted as (
    select id from given
    union
    select standing.id from given_groups cross join lateral (
      select id from runs where runs.team_path = given_groups.team_path
        and runs.concurrency_group = given_groups.concurrency_group and finished_at is null) as standing
    where may_end_others
    union
    select held.id from given cross join lateral (
      select id from runs where runs.repository = given.repository and runs.pull_request = given.pull_request
        and finished_at is null and runs.withheld = 'fork_approval') as held
    where given.cause = 'event'
  ), locked as materialized (
    select run.* from (select id from wanted order by id) as wanted cross join lateral (
      select ${COLUMNS} from runs where runs.id = wanted.id and finished_at is null for update) as run
  )
  select * from locked
  union all
  select oldest.* from given_groups cross join lateral (
    select ${COLUMNS} from runs where runs.team_path = given_groups.team_path
      and runs.concurrency_group = given_groups.concurrency_group and finished_at is null
      and withheld is distinct from 'fork_approval' and id not in (select id from given)
    order by id limit 1) as oldest
  where not may_end_others and oldest.id not in (select id from locked)`

/** Locks these runs until the transaction ends, in the order of their ids; those that have finished are left out. */
export async function lockRuns(tx: Tx, ids: readonly string[]): Promise<readonly StandingRun[]> {
  const { rows } = await sql<StandingRun>`
    select ${sql.raw(COLUMNS)} from runs where id = any(${ids}::uuid[]) and finished_at is null
    order by id for update`.execute(tx)
  return rows
}

/** The trigger that ends its unfinished runs: a stored trigger, or an entry in the repository's manifest. */
export interface CancelRow {
  readonly trigger_id: string | null
  readonly manifest_trigger: string | null
  readonly team_path: string | null
  readonly repository: string
  readonly pull_request: number
  readonly reason: string
}

/** A run with the reason why it is to end. */
export type WantedRun = StandingRun & { readonly wish: string }

/** Locks the unfinished runs that fit a wish until the transaction ends, in the order of their ids. */
export function runsOfPullRequests(rows: readonly CancelRow[]): Statement<WantedRun> {
  return { text: RUNS_OF_PULL_REQUESTS, values: [JSON.stringify(rows)] }
}

const RUNS_OF_PULL_REQUESTS = `
  select run.*, wanted.reason as wish
  from (
    select runs.id, min(asked.reason) as reason
    from json_to_recordset($1::json) as asked(
      trigger_id uuid, manifest_trigger text, repository text, pull_request bigint, reason text, team_path text)
    join runs on runs.repository = asked.repository and runs.pull_request = asked.pull_request
      and runs.finished_at is null
      and case when asked.trigger_id is null
        then runs.trigger_id is null and runs.manifest_trigger = asked.manifest_trigger
          and (runs.team_path = asked.team_path or starts_with(runs.team_path, asked.team_path || '/'))
        else runs.trigger_id = asked.trigger_id end
    group by runs.id order by runs.id
  ) as wanted cross join lateral (
    select ${COLUMNS} from runs where runs.id = wanted.id and finished_at is null for update) as run`
