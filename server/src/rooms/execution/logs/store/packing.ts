import { sql } from 'kysely'
import { findOne, type Queryable, type RowOf, type Tx, toSnake } from '#platform/database'
import { asBuffer, type ChunkRow } from './chunks.ts'

export interface LooseLog extends RowOf<'log_heads', 'attempt_id'> {
  /** The log has been silent for a while: its last lines are packed too. */
  readonly isQuiet: boolean
}

/** Logs with enough to pack, and those that have said nothing since `quietSince`; the oldest first. */
export async function listLoose(
  db: Queryable,
  options: { readonly quietSince: Date; readonly enoughBytes: number; readonly limit: number },
): Promise<LooseLog[]> {
  const { rows } = await sql<LooseLog>`
    select attempt_id as "attemptId", appended_at < ${options.quietSince} as "isQuiet" from log_heads
    where not is_packed and (appended_at < ${options.quietSince} or loose_bytes >= ${options.enoughBytes})
    order by appended_at limit ${options.limit}`.execute(db)
  return rows
}

/**
 * A transaction that rewrites the rows of a log takes this lock first. Lines may be appended meanwhile: that adds rows
 * behind all others, and touches none.
 */
export async function lockRows(tx: Tx, attemptId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('log rows ' || ${attemptId}, 0))`.execute(tx)
}

export async function findPackPlace(
  db: Queryable,
  attemptId: string,
): Promise<RowOf<'log_heads', 'packed_line' | 'next_line'> | undefined> {
  const head = db.selectFrom('log_heads').select(['packed_line', 'next_line']).where('attempt_id', '=', attemptId)
  return findOne(head)
}

export type PackedRow = ChunkRow & RowOf<'log_chunks', 'raw_bytes' | 'first_at' | 'last_at' | 'trigrams'>

/** Puts one row in the place of those from its first line to its last; they are gone with the commit that brings it. */
export async function replaceRows(tx: Tx, row: PackedRow): Promise<void> {
  const { attemptId, firstLine, lineCount, linesZstd } = row
  await sql`delete from log_chunks where attempt_id = ${attemptId} and first_line >= ${firstLine}
    and first_line < ${firstLine + lineCount}`.execute(tx)
  await tx
    .insertInto('log_chunks')
    .values(toSnake({ ...row, linesZstd: linesZstd && asBuffer(linesZstd) }))
    .execute()
}

export interface Packed {
  /** Lines below need no more packing. */
  readonly packedLine: number
  /** The next line when everything was packed; lines that came since are not packed. Undefined: lines are left to pack. */
  readonly wholeAt: number | undefined
  /** The change of the stored bytes (packing shrinks them), and of the bytes that are not packed. */
  readonly storedChange: number
  readonly looseChange: number
}

export async function setPacked(tx: Tx, attemptId: string, packed: Packed): Promise<void> {
  const { packedLine, wholeAt = -1, storedChange, looseChange } = packed
  await sql`
    update log_heads set packed_line = ${packedLine}, is_packed = next_line = ${wholeAt},
      stored_bytes = greatest(0, stored_bytes + ${storedChange}), loose_bytes = greatest(0, loose_bytes + ${looseChange})
    where attempt_id = ${attemptId}`.execute(tx)
}

/** Logs that had their last line before this; the oldest first. */
export async function listOld(db: Queryable, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('log_heads')
    .select('attempt_id')
    .where('dropped_at', 'is', null)
    .where('appended_at', '<', before)
    .orderBy('appended_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.attempt_id)
}

/**
 * Removes all lines of a log whose last line came before this, and leaves the mark that there were some. The head is changed
 * first, so that nothing is appended until the transaction ends.
 */
export async function dropRows(tx: Tx, attemptId: string, before: Date, now: Date): Promise<void> {
  const { rows } = await sql<{ nextLine: number }>`
    update log_heads set dropped_at = ${now}, stored_bytes = 0, loose_bytes = 0, packed_line = next_line, is_packed = true
    where attempt_id = ${attemptId} and dropped_at is null and appended_at < ${before}
    returning next_line as "nextLine"`.execute(tx)
  const [dropped] = rows
  if (!dropped) return
  await sql`delete from log_chunks where attempt_id = ${attemptId}`.execute(tx)
  if (dropped.nextLine === 0) return
  await sql`
    insert into log_chunks (attempt_id, first_line, line_count, missing)
    values (${attemptId}, 0, ${dropped.nextLine}, 'dropped')`.execute(tx)
}
