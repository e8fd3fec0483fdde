import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

export interface Queued {
  readonly id: string
  readonly lane: string
  readonly priority: number
}

/** How many runs of its lane begin before it. By the index of the queue. */
export async function countBefore(db: Queryable, { id, lane, priority }: Queued): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from runs where status = 'queued' and withheld is null and lane = ${lane}
      and (priority > ${priority} or priority = ${priority} and id < ${id})`.execute(db)
  return rows[0]?.count ?? 0
}

/** When the last runs of a lane began, newest first. */
export async function listStarts(db: Queryable, lane: string, since: Date, limit: number): Promise<Date[]> {
  const { rows } = await sql<{ started_at: Date }>`
    select started_at from runs where lane = ${lane} and started_at is not null and started_at >= ${since}
    order by started_at desc limit ${limit}`.execute(db)
  return rows.map((row) => row.started_at)
}

/** An attempt that waits for a runner, and what it asks of one. */
export interface WaitingAttempt {
  readonly step: string
  readonly task: string
  readonly scope: string
  readonly requirement: unknown
  readonly lane: string
}

export function listWaiting(db: Queryable, runId: string): Promise<WaitingAttempt[]> {
  return db
    .selectFrom('attempts')
    .select(['step', 'task', 'scope', 'requirement', 'lane'])
    .where('run_id', '=', runId)
    .where('status', '=', 'waiting')
    .execute()
}

export interface StoredPin {
  readonly step: string | null
  readonly task: string | null
  readonly revision_id: string
}

/** Those of the run first, then of steps and tasks in the order in which they began. */
export function listPins(db: Queryable, runId: string): Promise<StoredPin[]> {
  return db
    .selectFrom('run_pins')
    .select(['step', 'task', 'revision_id'])
    .where('run_id', '=', runId)
    .orderBy('pinned_at')
    .orderBy('step', (order) => order.asc().nullsFirst())
    .orderBy('task', (order) => order.asc().nullsFirst())
    .execute()
}
