import type { Statement } from '#platform/database'
import type { RunChange } from '../rules/standing-run.ts'

/** Writes the decisions about runs that this transaction has locked, and notifies the code that waits for them. */
export function changingRuns(changes: readonly RunChange[], at: Date): Statement {
  return { text: CHANGE_RUNS, values: [JSON.stringify(changes), at.toISOString()] }
}

const CHANGE_RUNS = `
  with changed as (
    update runs set
      status = case when ends is null then runs.status else 'canceled' end,
      reason = coalesce(ends, runs.reason),
      finished_at = case when ends is null then runs.finished_at else $2::timestamptz end,
      cancel_requested_at = case when coalesce(ends, cancels) is null then runs.cancel_requested_at else $2::timestamptz end,
      cancel_reason = coalesce(ends, cancels, runs.cancel_reason),
      revision = runs.revision + case when ends is null then 0 else 1 end,
      withheld = case when waits then 'group' else runs.withheld end,
      note = coalesce(change.note, runs.note)
    from json_to_recordset($1::json) as change(id uuid, ends text, cancels text, waits boolean, note text)
    where runs.id = change.id and runs.finished_at is null
    returning runs.id, ends, cancels, waits, concurrency_group, withheld
  )
  select pg_notify(channel, payload) from (
    select 'run_changed' as channel, id::text as payload from changed where ends is not null
    union all
    select 'approval_changed', 'gone ' || id || ' fork' from changed where ends is not null and withheld = 'fork_approval'
    union all
    select 'runs_cancel', id::text from changed where cancels is not null
    union all
    -- The last run before a waiting one may be finishing at this moment.
    select distinct 'runs_group_left', '' from changed where waits or (ends is not null and concurrency_group is not null)
  ) as told`
