import { type Selectable, sql } from 'kysely'
import type { DB, Queryable, Tx } from '#platform/database'

export interface FinalOutputRow {
  readonly name: string
  readonly format: string
  readonly content: string
  readonly generated_at: Date
}

export function listFinalOutputs(db: Queryable, runId: string): Promise<FinalOutputRow[]> {
  return db
    .selectFrom('run_final_outputs')
    .select(['name', 'format', 'content', 'generated_at'])
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
}

/** The contents by name, of each of these runs that has some. */
export async function readFinalOutputs(
  db: Queryable,
  runIds: readonly string[],
): Promise<Map<string, Readonly<Record<string, string>>>> {
  const rows = await db
    .selectFrom('run_final_outputs')
    .select(['run_id', 'name', 'content'])
    .where('run_id', '=', sql<string>`any(${runIds}::uuid[])`)
    .execute()
  const byRun = Map.groupBy(rows, (row) => row.run_id)
  return new Map(
    [...byRun].map(([id, outputs]) => [id, Object.fromEntries(outputs.map(({ name, content }) => [name, content]))]),
  )
}

/** Where the outputs of a run stand, and why they failed. */
export interface OutputStanding {
  readonly final_output_status: string
  readonly final_output_reason: string | null
}

export async function findOutputStanding(db: Queryable, runId: string): Promise<OutputStanding | undefined> {
  return await db
    .selectFrom('runs')
    .select(['final_output_status', 'final_output_reason'])
    .where('id', '=', runId)
    .executeTakeFirst()
}

/** Runs that ended before `before` and still have no final outputs. */
export async function listPending(db: Queryable, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('final_output_status', '=', 'pending')
    .where('finished_at', '<', before)
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Locks the run; false: its outputs are made already. */
export async function lockPending(tx: Tx, runId: string): Promise<boolean> {
  const { rows } = await sql`
    select from runs where id = ${runId} and final_output_status = 'pending' for update`.execute(tx)
  return rows.length > 0
}

export interface NewFinalOutput {
  readonly name: string
  readonly format: Selectable<DB['run_final_outputs']>['format']
  readonly content: string
  readonly position: number
}

/**
 * Stores the outputs that were made, and the reason if some were not. Waiting code is notified when the transaction commits.
 */
export async function insertFinalOutputs(
  tx: Tx,
  runId: string,
  { outputs, reason }: { readonly outputs: readonly NewFinalOutput[]; readonly reason: string | null },
  at: Date,
): Promise<void> {
  if (outputs.length > 0) {
    await tx
      .insertInto('run_final_outputs')
      .values(outputs.map((output) => ({ run_id: runId, generated_at: at, ...output })))
      .execute()
  }
  const status = reason === null ? 'ready' : 'failed'
  await sql`
    with made as (
      update runs set final_output_status = ${status}, final_output_reason = ${reason} where id = ${runId} returning id
    )
    select pg_notify('run_changed', id::text) from made`.execute(tx)
}
