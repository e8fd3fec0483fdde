import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import type { WaitingChild } from '../rules/deadlock.ts'

/** Runs of tasks that wait for their turn in a group. By the index of these, the primary key upwards, and that of turns. */
export async function listWaitingChildren(db: Queryable): Promise<WaitingChild[]> {
  const { rows } = await sql<WaitingChild>`
    with recursive waiting as (
      select id, team_path, concurrency_group, parent_run_id from runs
      where withheld = 'group' and parent_run_id is not null and finished_at is null
    ), above as (
      select waiting.id as child_id, parent_run_id as id from waiting
      union all
      select child_id, runs.parent_run_id from above join runs on runs.id = above.id
      where runs.parent_run_id is not null
    ), families as (
      select child_id, jsonb_agg(id) as ids from above group by child_id
    )
    select waiting.id, waiting.concurrency_group as "group", families.ids as above,
      (select coalesce(jsonb_agg(runs.id), '[]') from runs where runs.team_path = waiting.team_path
        and runs.concurrency_group = waiting.concurrency_group and runs.finished_at is null
        and runs.withheld is null and runs.cancel_requested_at is null) as holders
    from waiting join families on families.child_id = waiting.id
    order by waiting.id`.execute(db)
  return rows
}
