import { sql } from 'kysely'
import { findOne, type Queryable, type RowOf, type Snake, type Tx, toCamel, toSnake } from '#platform/database'

const COLUMNS = [
  'cache_entries.id',
  'cache_entries.key',
  'cache_entries.blob_id',
  'cache_entries.size',
  'cache_entries.team_path',
  'cache_entries.namespace',
  'blobs.sha256',
] as const

export type CacheRow = RowOf<'cache_entries', 'id' | 'key' | 'blob_id' | 'size' | 'team_path' | 'namespace'> &
  RowOf<'blobs', 'sha256'>

/**
 * The entry of this key in the first namespace that has it. Otherwise the newest entry whose key begins with a fallback; the
 * first fallback that finds one decides. The use of the entry is noted, so that it is kept.
 */
export async function useEntry(
  db: Queryable,
  wanted: {
    readonly teamPath: string
    readonly namespaces: readonly string[]
    readonly key: string
    readonly fallback: readonly string[]
  },
  at: Date,
): Promise<{ readonly entry: CacheRow; readonly exact: boolean } | undefined> {
  const { teamPath, namespaces, key, fallback } = wanted
  for (const namespace of namespaces) {
    const entry = await find(db, sql`team_path = ${teamPath} and namespace = ${namespace} and key = ${key}`, at)
    if (entry) return { entry, exact: true }
  }
  for (const prefix of fallback) {
    for (const namespace of namespaces) {
      const within = sql`team_path = ${teamPath} and namespace = ${namespace} and key >= ${prefix} and key < ${after(prefix)}`
      const entry = await find(db, within, at)
      if (entry) return { entry, exact: false }
    }
  }
  return undefined
}

/** The text that comes after all that begin with `prefix`, in the order of bytes. */
function after(prefix: string): string {
  return `${prefix}\u{10FFFF}`
}

async function find(db: Queryable, where: ReturnType<typeof sql>, at: Date): Promise<CacheRow | undefined> {
  const { rows } = await sql<Snake<CacheRow>>`
    update cache_entries set used_at = ${at}
    from blobs
    where blobs.id = cache_entries.blob_id and cache_entries.id = (
      select id from cache_entries where ${where} order by created_at desc limit 1
    )
    returning ${sql.join(COLUMNS.map((column) => sql.ref(column)))}`.execute(db)
  return rows[0] && toCamel(rows[0])
}

export async function findEntry(db: Queryable, id: string): Promise<CacheRow | undefined> {
  return findOne(
    db
      .selectFrom('cache_entries')
      .innerJoin('blobs', 'blobs.id', 'cache_entries.blob_id')
      .select(COLUMNS)
      .where('cache_entries.id', '=', id),
  )
}

/** The entry of exactly this key. The first one stays, so that a key means the same bytes to all. */
export function findKept(
  tx: Tx,
  { teamPath, namespace, key }: RowOf<'cache_entries', 'team_path' | 'namespace' | 'key'>,
): Promise<{ readonly sha256: string } | undefined> {
  return tx
    .selectFrom('cache_entries')
    .innerJoin('blobs', 'blobs.id', 'cache_entries.blob_id')
    .select('blobs.sha256')
    .where('cache_entries.team_path', '=', teamPath)
    .where('namespace', '=', namespace)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Under a key that is free: the caller holds the lock of the team. */
export async function insertEntry(tx: Tx, entry: RowOf<'cache_entries'>): Promise<void> {
  await tx.insertInto('cache_entries').values(toSnake(entry)).execute()
}

export async function sumCaches(db: Queryable, teamPath: string): Promise<number> {
  const row = await db
    .selectFrom('cache_entries')
    .select(sql<string>`coalesce(sum(size), 0)`.as('bytes'))
    .where('team_path', '=', teamPath)
    .executeTakeFirstOrThrow()
  return Number(row.bytes)
}

/** Drops what was not used for the longest time until at most `keep` bytes of the team are left. */
export async function dropBeyond(db: Queryable, teamPath: string, keep: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from cache_entries where id in (
      select id from (
        select id, sum(size) over (order by used_at desc, id desc) as bytes from cache_entries
        where team_path = ${teamPath}
      ) as kept where bytes > ${keep}
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function dropUnused(db: Queryable, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from cache_entries where id in (
      select id from cache_entries where used_at < ${before} order by used_at limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
