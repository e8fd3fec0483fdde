import { type Selectable, sql } from 'kysely'
import { type DB, type Queryable, type RowOf, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'
import { foldName, type Override, type RepositoryName } from './rules/index.ts'

/** Every override, expired ones too: for the copy in memory. */
export async function listAllOverrides(db: Queryable): Promise<Override[]> {
  const rows = await db.selectFrom('overrides').selectAll().execute()
  return rows.map(toOverride)
}

/** Raised in the transaction of each change of an override. */
export async function readRevision(db: Queryable): Promise<number> {
  const row = await db.selectFrom('overrides_revision').select('revision').executeTakeFirstOrThrow()
  return row.revision
}

export interface OverrideFilter extends Window {
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
}

export async function listOverrides(db: Queryable, filter: OverrideFilter): Promise<Override[]> {
  let query = db
    .selectFrom('overrides')
    .selectAll()
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath !== undefined) query = query.where('team_path', '=', filter.teamPath)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toOverride)
}

/** Of all teams, the oldest first, in whichever case the name is written; the unique index serves it. */
export async function listOfRepository(db: Queryable, name: RepositoryName): Promise<Override[]> {
  const rows = await ofRepository(db, name).execute()
  return rows.map(toOverride)
}

/**
 * As `listOfRepository`, and no other transaction writes an override of the repository until this one ends. The lock covers
 * the first overrides of two teams, too.
 */
export async function lockRepository(db: Queryable, name: RepositoryName): Promise<Override[]> {
  const lock = `override ${foldName(name.repoOwner)}/${foldName(name.repoName)}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db)
  return listOfRepository(db, name)
}

export async function insertOverride(db: Queryable, override: Override): Promise<void> {
  await db.insertInto('overrides').values(toRow(override)).execute()
}

export async function updateOverride(db: Queryable, override: Override): Promise<void> {
  await db.updateTable('overrides').set(toRow(override)).where('id', '=', override.id).execute()
}

export async function deleteOverride(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('overrides').where('id', '=', id).execute()
}

function ofRepository(db: Queryable, { repoOwner, repoName }: RepositoryName) {
  return db
    .selectFrom('overrides')
    .selectAll()
    .where(sql`lower(repo_owner)`, '=', foldName(repoOwner))
    .where(sql`lower(repo_name)`, '=', foldName(repoName))
    .orderBy('id')
}

function toRow({ owner, ...override }: Override) {
  return { ...toSnake(override), owner_kind: owner.kind, owner_id: owner.id, owner_name: owner.name }
}

function toOverride(row: Selectable<DB['overrides']>): Override {
  const { owner_kind: kind, owner_id: id, owner_name: name, ...columns } = row
  return { ...toCamel(columns), owner: { kind, id, name } }
}

/** Those of all teams that start these pipelines, in which scopes; not those that have expired. */
export async function listStarting(
  db: Queryable,
  pipelines: readonly string[],
  { now, most }: { readonly now: Date; readonly most: number },
): Promise<RowOf<'overrides', 'pipeline' | 'scope' | 'team_path'>[]> {
  if (pipelines.length === 0) return []
  const rows = await db
    .selectFrom('overrides')
    .select(['pipeline', 'scope', 'team_path'])
    .distinct()
    .where('pipeline', 'in', [...pipelines])
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .limit(most)
    .execute()
  return rows.map(toCamel)
}
