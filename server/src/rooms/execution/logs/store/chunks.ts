import { type RawBuilder, sql } from 'kysely'
import { type Queryable, type RowOf, toCamel } from '#platform/database'

/** Why lines are missing: their runner lost them, they were beyond the limit, the log was too old, or closed. */
export type Missing = NonNullable<RowOf<'log_chunks'>['missing']>

/** Consecutive lines of one attempt: compressed, or the mark that they are missing. */
export type ChunkRow = {
  readonly attemptId: string
  readonly firstLine: number
  readonly lineCount: number
} & (
  | { readonly linesZstd: Uint8Array; readonly missing: null }
  | { readonly linesZstd: null; readonly missing: Missing }
)

/** How far the log of one attempt has come; `storedBytes` as they are stored, compressed. */
export interface Head extends RowOf<'log_heads', 'attempt_id' | 'next_line' | 'stored_bytes'> {
  /** Values of a scrub were forgotten: no text is stored any more. */
  readonly isClosed: boolean
}

/** By attempt; one without lines is left out. */
export async function findHeads(db: Queryable, attemptIds: readonly string[]): Promise<Map<string, Head>> {
  if (attemptIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('log_heads')
    .select(['attempt_id', 'next_line', 'stored_bytes'])
    .select(sql<boolean>`closed_at is not null`.as('is_closed'))
    .where('attempt_id', '=', sql<string>`any(${attemptIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.attempt_id, toCamel(row)]))
}

/** The first line that is not stored, by attempt; an attempt without lines is left out. */
export async function nextLines(db: Queryable, attemptIds: readonly string[]): Promise<Map<string, number>> {
  return new Map([...(await findHeads(db, attemptIds))].map(([id, { nextLine }]) => [id, nextLine]))
}

/** Makes the heads of logs that begin. */
export async function insertHeads(db: Queryable, attemptIds: readonly string[]): Promise<void> {
  await sql`insert into log_heads (attempt_id) select * from unnest(${attemptIds}::uuid[])
    on conflict do nothing`.execute(db)
}

/** The rows that one statement appends to one log; they begin at `fromLine` and leave nothing out. */
export interface Appending {
  readonly attemptId: string
  readonly fromLine: number
  readonly rows: readonly ChunkRow[]
}

/**
 * Stores all rows in one statement, and tells the followers of these runs. A log whose head is no longer at `fromLine` is
 * left as it is: another connection of the same runner was faster. A log that was closed meanwhile takes marks only.
 * Answers the attempts that took their rows.
 */
export async function appendRows(
  db: Queryable,
  appendings: readonly Appending[],
  runIds: readonly string[],
): Promise<Set<string>> {
  const rows = appendings.flatMap((appending) => appending.rows)
  const last = appendings.map((appending) => {
    const end = appending.rows.at(-1)
    return end ? end.firstLine + end.lineCount : appending.fromLine
  })
  const sizes = appendings.map((appending) =>
    appending.rows.reduce((sum, { linesZstd }) => sum + (linesZstd?.length ?? 0), 0),
  )
  const { bytes, lengths, firstBytes } = joinBytes(rows)
  const { rows: moved } = await sql<{ attempt_id: string | null }>`
    with moved as (
      update log_heads as head set next_line = wanted.next_line, stored_bytes = head.stored_bytes + wanted.bytes,
        loose_bytes = head.loose_bytes + wanted.bytes, is_packed = false, appended_at = now(),
        dropped_at = null
      from unnest(${appendings.map(({ attemptId }) => attemptId)}::uuid[],
        ${appendings.map(({ fromLine }) => fromLine)}::bigint[], ${last}::bigint[], ${sizes}::bigint[])
        as wanted(attempt_id, from_line, next_line, bytes)
      where head.attempt_id = wanted.attempt_id and head.next_line = wanted.from_line
        and (head.closed_at is null or wanted.bytes = 0)
      returning head.attempt_id
    ), stored as (
      insert into log_chunks (attempt_id, first_line, line_count, lines_zstd, missing)
      select attempt_id, first_line, line_count, substring(${bytes}::bytea from first_byte for bytes), missing
      from unnest(${rows.map(({ attemptId }) => attemptId)}::uuid[],
        ${rows.map(({ firstLine }) => firstLine)}::bigint[], ${rows.map(({ lineCount }) => lineCount)}::integer[],
        ${firstBytes}::integer[], ${lengths}::integer[], ${rows.map(({ missing }) => missing)}::text[])
        as chunk(attempt_id, first_line, line_count, first_byte, bytes, missing)
      join moved using (attempt_id)
    ), told as (
      select pg_notify('run_logs', run_id) from unnest(${runIds}::text[]) as run_id
    )
    select moved.attempt_id from moved union all select null from told`.execute(db)
  return new Set(moved.flatMap((row) => (row.attempt_id === null ? [] : [row.attempt_id])))
}

/**
 * The bytes of all rows one after the other, and where each lies in them (from 1, null: it has none). One value is sent as it
 * is. An array would be sent as hexadecimal text, which costs both sides more than the storing.
 */
function joinBytes(rows: readonly ChunkRow[]): {
  readonly bytes: Buffer
  readonly lengths: readonly (number | null)[]
  readonly firstBytes: readonly (number | null)[]
} {
  let next = 1
  const firstBytes = rows.map(({ linesZstd }) => {
    if (linesZstd === null) return null
    const first = next
    next += linesZstd.length
    return first
  })
  const bytes = Buffer.concat(rows.flatMap(({ linesZstd }) => linesZstd ?? []))
  return { bytes, lengths: rows.map(({ linesZstd }) => linesZstd?.length ?? null), firstBytes }
}

/** Rows of one log on one side of a line. */
export interface RowRange {
  readonly attemptId: string
  /** Forward the first line that is wanted; backward the line behind the last. */
  readonly at: number
  readonly backward?: boolean
  readonly limit: number
  /** Only rows that may have all of these bits of trigrams. */
  readonly bits?: readonly number[]
}

/** In order; backward the last row first. */
export async function listRows(db: Queryable, range: RowRange): Promise<readonly ChunkRow[]> {
  const { attemptId, at, backward = false, limit, bits = [] } = range
  // Forward the row that begins before the line may reach beyond it.
  const onSide = backward
    ? sql`first_line < ${at}`
    : sql`first_line >= coalesce((
        select max(before.first_line) from log_chunks as before
        where before.attempt_id = ${attemptId} and before.first_line <= ${at}), 0)`
  const { rows } = await sql<ChunkRow>`
    select attempt_id as "attemptId", first_line as "firstLine", line_count as "lineCount", lines_zstd as "linesZstd",
      missing
    from log_chunks where attempt_id = ${attemptId} and ${onSide} and ${mayHold(bits)}
    order by first_line ${backward ? sql`desc` : sql`asc`} limit ${limit}`.execute(db)
  return backward ? rows : rows.filter((row) => row.firstLine + row.lineCount > at)
}

/** Small rows have no trigrams: they may hold anything. */
function mayHold(bits: readonly number[]): RawBuilder<boolean> {
  if (bits.length === 0) return sql<boolean>`true`
  return sql<boolean>`(trigrams is null or (
    select bool_and(get_bit(trigrams, bit) = 1) from unnest(${bits}::integer[]) as bit))`
}

/** `pg` takes a Buffer for bytea, and any other view of bytes for JSON. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
