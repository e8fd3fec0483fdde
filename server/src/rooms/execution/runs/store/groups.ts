import { sql } from 'kysely'
import type { Queryable, Statement } from '#platform/database'

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

/** Notifies the code that releases groups when the transaction commits. */
export async function tellGroupLeft(db: Queryable): Promise<void> {
  await sql`select pg_notify('runs_group_left', '')`.execute(db)
}

/**
 * Gives the oldest waiting run of a group its turn, unless another one has it. A transaction of its own, because it waits
 * for other decisions about the group. There are two statements, so that the second one sees those decisions. If the oldest
 * run is canceled meanwhile, no run gets the turn; the cancel notifies again.
 */
export function releasingGroup({ team_path, concurrency_group }: RunGroup): readonly Statement[] {
  const values = [team_path, concurrency_group]
  return [
    { text: LOCK_GROUP, values },
    { text: RELEASE_GROUP, values },
  ]
}

/** The key of `lockingGroups`. */
const LOCK_GROUP = `select pg_advisory_xact_lock(hashtextextended('runs of group ' || $1::text || ' ' || $2::text, 0))`

const RELEASE_GROUP = `
  with next as (
    select id from runs
    where team_path = $1 and concurrency_group = $2 and finished_at is null and withheld = 'group'
      and not exists (
        select from runs where team_path = $1 and concurrency_group = $2 and finished_at is null and withheld is null)
    order by id limit 1 for update
  ), released as (
    update runs set withheld = null, queue_deadline_at = now() + queue_timeout_ms * interval '1 millisecond'
    from next where runs.id = next.id
    returning runs.id, lane
  )
  select pg_notify('runs_queued', lane), pg_notify('run_changed', id::text) from released`

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
