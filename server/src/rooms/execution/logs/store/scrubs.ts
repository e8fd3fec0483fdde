import { sql } from 'kysely'
import { type Queryable, type RowOf, type Tx, toSnake } from '#platform/database'
import { asBuffer } from './chunks.ts'

export interface OpenScrub {
  readonly id: string
  readonly sealedValues: Uint8Array
}

/** Notes that a run's lines must not show these values any more, and tells the followers of the run. */
export async function insertScrub(
  tx: Tx,
  scrub: RowOf<'log_scrubs', 'id' | 'run_id' | 'sealed_values' | 'requested_at'>,
): Promise<void> {
  await tx.insertInto('log_scrubs').values(toSnake(scrub)).execute()
  await sql`select pg_notify('run_logs', ${scrub.runId})`.execute(tx)
}

/** The scrubs whose lines are not all rewritten yet, or may still grow. */
export async function listOpenScrubs(db: Queryable, runId: string): Promise<OpenScrub[]> {
  const rows = await db
    .selectFrom('log_scrubs')
    .select(['id', 'sealed_values'])
    .where('run_id', '=', runId)
    .where('rewritten_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, sealed_values }) => (sealed_values ? [{ id, sealedValues: sealed_values }] : []))
}

export async function addChangedLines(tx: Tx, scrubIds: readonly string[], lines: number): Promise<void> {
  await sql`update log_scrubs set changed_lines = changed_lines + ${lines}
    where id = any(${scrubIds}::uuid[])`.execute(tx)
}

/** When the last lines of these attempts came; null: none did. */
export async function lastAppendedAt(db: Queryable, attemptIds: readonly string[]): Promise<Date | null> {
  const row = await db
    .selectFrom('log_heads')
    .select((eb) => eb.fn.max('appended_at').as('at'))
    .where('attempt_id', '=', sql<string>`any(${attemptIds}::uuid[])`)
    .where('next_line', '>', 0)
    .executeTakeFirst()
  return row?.at ?? null
}

/** From now on no text is stored in these logs; see `appendRows`. */
export async function closeLogs(db: Queryable, attemptIds: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into log_heads (attempt_id, closed_at) select attempt_id, ${now} from unnest(${attemptIds}::uuid[]) as attempt_id
    on conflict (attempt_id) do update set closed_at = coalesce(log_heads.closed_at, excluded.closed_at)`.execute(db)
}

/** All is rewritten and nothing can come after: the values are forgotten. Followers hear of it. */
export async function closeScrubs(db: Queryable, runId: string, scrubIds: readonly string[], now: Date): Promise<void> {
  await sql`
    with closed as (
      update log_scrubs set rewritten_at = ${now}, sealed_values = null
      where id = any(${scrubIds}::uuid[]) and rewritten_at is null
    )
    select pg_notify('run_logs', ${runId})`.execute(db)
}

/** The other bytes of one row; its lines are as many as before. */
export async function rewriteRow(
  tx: Tx,
  row: {
    readonly attemptId: string
    readonly firstLine: number
    readonly linesZstd: Buffer
    readonly trigrams: Buffer
    readonly rawBytes: number
  },
): Promise<void> {
  await sql`update log_chunks set lines_zstd = ${asBuffer(row.linesZstd)},
      raw_bytes = case when raw_bytes is null then null else ${row.rawBytes}::integer end,
      trigrams = case when trigrams is null then null else ${row.trigrams}::bytea end
    where attempt_id = ${row.attemptId} and first_line = ${row.firstLine}`.execute(tx)
}
