import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** Something that began, or that a rule kept from beginning: a run, one of its steps (`task` null), or a task. */
export interface PastPlaceRow {
  readonly run_id: string
  readonly step: string | null
  readonly task: string | null
  /** When the rules were asked about it. */
  readonly at: Date
}

/**
 * What rules were asked about, or would have been, in runs; by run, earliest first. A place with pins was asked about when
 * it was pinned. Without pins no item applied there, and it shows by what it made at that moment: a run that started, the
 * first attempt of a task, the question of an approval. A task that a rerun took over is complete at once.
 */
export async function listPastPlaces(db: Queryable, runIds: readonly string[]): Promise<PastPlaceRow[]> {
  const { rows } = await sql<PastPlaceRow>`
    with pinned as (
      select run_id, step, task, min(pinned_at) as at from run_pins where run_id = any(${runIds}::uuid[])
      group by run_id, step, task
    ), begun as (
      select run_id, step, task, created_at as at from attempts where run_id = any(${runIds}::uuid[]) and number = 1
      union all
      select run_id, step, task, started_at from run_tasks where run_id = any(${runIds}::uuid[]) and attempt = 0
        and started_at is not null and finished_at is distinct from started_at
    ), places as (
      select id as run_id, null::text as step, null::text as task, started_at as at from runs
        where id = any(${runIds}::uuid[]) and started_at is not null
      union all
      select run_id, step, null, min(at) from begun group by run_id, step
      union all
      select run_id, step, task, at from begun
    )
    select run_id, step, task, at from pinned
    union all
    select run_id, step, task, at from places where not exists (
      select from pinned where pinned.run_id = places.run_id
        and pinned.step is not distinct from places.step and pinned.task is not distinct from places.task
    )
    order by run_id, at, step nulls first, task nulls first`.execute(db)
  return rows
}
