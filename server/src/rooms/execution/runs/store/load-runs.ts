import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import type { StepRow, TaskRow } from '../rules/stored-rows.ts'
import { IN_FLIGHT, type RunRow } from './run-columns.ts'

export async function loadRuns(db: Queryable, ids: readonly string[]): Promise<RunRow[]> {
  return await db.selectFrom('runs').select(IN_FLIGHT).where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}

export async function loadSteps(db: Queryable, ids: readonly string[]): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select run_id, step, position, status, reason, blocks, timed_out, started_at, finished_at, deadline_at
    from run_steps where run_id = any(${ids}::uuid[]) order by run_id, position`.execute(db)
  return rows
}

export async function loadTasks(db: Queryable, ids: readonly string[]): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select run_id, step, task, position, status, reason, blocks, attempt, exit_code, outputs, losses_before, handed_back,
      retry_at, started_at, finished_at
    from run_tasks where run_id = any(${ids}::uuid[]) order by run_id, step, position`.execute(db)
  return rows
}
