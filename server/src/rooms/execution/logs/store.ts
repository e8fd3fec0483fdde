import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** Consecutive lines of one attempt, compressed as the runner sent them. */
export interface ChunkRow {
  readonly attemptId: string
  readonly firstLine: number
  readonly lineCount: number
  readonly linesZstd: Uint8Array
}

/** The first line that is not stored, by attempt; an attempt without lines is left out. */
export async function nextLines(db: Queryable, attemptIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; next: number }>`
    select wanted.id, last.next from unnest(${attemptIds}::uuid[]) as wanted(id)
    cross join lateral (
      select first_line + line_count as next from log_chunks
      where attempt_id = wanted.id order by first_line desc limit 1
    ) as last`.execute(db)
  return new Map(rows.map((row) => [row.id, row.next]))
}

/**
 * All chunks in one statement, and word of them to whoever follows these runs. Answers how many were new: a chunk that
 * another connection of the same runner stored first is left as it is.
 */
export async function insertChunks(
  db: Queryable,
  chunks: readonly ChunkRow[],
  runIds: readonly string[],
): Promise<number> {
  const bytes = chunks.map((chunk) =>
    Buffer.from(chunk.linesZstd.buffer, chunk.linesZstd.byteOffset, chunk.linesZstd.byteLength),
  )
  const { rows } = await sql<{ stored: number }>`
    with stored as (
      insert into log_chunks (attempt_id, first_line, line_count, lines_zstd)
      select * from unnest(${chunks.map((chunk) => chunk.attemptId)}::uuid[],
        ${chunks.map((chunk) => chunk.firstLine)}::bigint[], ${chunks.map((chunk) => chunk.lineCount)}::integer[],
        ${bytes}::bytea[])
      on conflict do nothing
      returning 1
    ), told as (
      select pg_notify('run_logs', run_id) from unnest(${runIds}::text[]) as run_id
    )
    select (select count(*) from stored) as stored, (select count(*) from told)`.execute(db)
  return rows[0]?.stored ?? 0
}

/** Chunks that hold lines from `from` on, in order. */
export async function listChunks(db: Queryable, attemptId: string, from: number, limit: number): Promise<ChunkRow[]> {
  const rows = await db
    .selectFrom('log_chunks')
    .select(['attempt_id', 'first_line', 'line_count', 'lines_zstd'])
    .where('attempt_id', '=', attemptId)
    // The chunk that begins before the range may reach into it.
    .where(
      'first_line',
      '>=',
      from === 0
        ? 0
        : sql<number>`coalesce((select max(before.first_line) from log_chunks
      as before where before.attempt_id = ${attemptId} and before.first_line <= ${from}), 0)`,
    )
    .orderBy('first_line')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    attemptId: row.attempt_id,
    firstLine: row.first_line,
    lineCount: row.line_count,
    linesZstd: row.lines_zstd,
  }))
}
