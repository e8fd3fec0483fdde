import { sql } from 'kysely'
import {
  type FoundByText,
  findByText,
  findOne,
  type Queryable,
  type RowOf,
  type TextWish,
  type Tx,
  toCamel,
  toSnake,
  withinOrAbove,
  withinPrefixes,
} from '#platform/database'
import type { Window } from '#platform/http'

const COLUMNS = [
  'id',
  'team_path',
  'name',
  'executor',
  'image',
  'labels',
  'environment',
  'resources',
  'created_at',
  'updated_at',
] as const

export type ProfileRow = RowOf<'profiles', (typeof COLUMNS)[number]>

export interface ProfileFilter extends Window {
  /** Profiles of these teams, of those below and of those above. */
  readonly prefixes: readonly string[]
  /** Only profiles of exactly these teams. */
  readonly only: readonly string[] | undefined
}

export async function insertProfile(db: Queryable, row: ProfileRow): Promise<void> {
  await db.insertInto('profiles').values(toSnake(row)).execute()
}

export async function updateProfile(db: Queryable, row: ProfileRow): Promise<void> {
  await db.updateTable('profiles').set(toSnake(row)).where('id', '=', row.id).execute()
}

export async function deleteProfile(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('profiles').where('id', '=', id).execute()
}

export async function findProfileById(db: Queryable, id: string): Promise<ProfileRow | undefined> {
  return findOne(db.selectFrom('profiles').select(COLUMNS).where('id', '=', id))
}

/** The profile of this name in the first of `teamPaths` that has one. */
export async function findNearestProfile(
  db: Queryable,
  teamPaths: readonly string[],
  name: string,
): Promise<ProfileRow | undefined> {
  if (teamPaths.length === 0) return undefined
  const rows = await db
    .selectFrom('profiles')
    .select(COLUMNS)
    .where('name', '=', name)
    .where('team_path', 'in', teamPaths)
    .execute()
  const byTeam = new Map(rows.map((row) => [row.team_path, row]))
  const nearest = teamPaths.map((path) => byTeam.get(path)).find((row) => row !== undefined)
  return nearest && toCamel(nearest)
}

/** Locks the row until the transaction ends, so that two writers take turns. */
export async function lockProfile(tx: Tx, id: string): Promise<ProfileRow | undefined> {
  return findOne(tx.selectFrom('profiles').select(COLUMNS).where('id', '=', id).forUpdate())
}

export async function listProfiles(db: Queryable, filter: ProfileFilter): Promise<ProfileRow[]> {
  let query = db
    .selectFrom('profiles')
    .select(COLUMNS)
    .where(withinOrAbove('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.only) query = query.where('team_path', 'in', [...filter.only])
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

/** Profiles at and below these team paths, and those of the teams above them, which they may use. */
export function searchProfiles(
  db: Queryable,
  { prefixes, within }: { readonly prefixes: readonly string[]; readonly within: readonly string[] },
  wish: TextWish,
): Promise<FoundByText[]> {
  const where = sql<boolean>`${withinOrAbove('team_path', prefixes)} and ${withinPrefixes('team_path', within)}`
  return findByText(db, { table: 'profiles', where, detail: sql`executor` }, wish)
}
