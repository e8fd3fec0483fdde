import { type Queryable, type Tx, withinPrefixes } from '#platform/database'
import type { ProfileContent, Resources } from './rules.ts'

export interface ProfileRow extends ProfileContent {
  readonly id: string
  readonly teamPath: string
  readonly name: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface ProfileFilter {
  /** Profiles of these teams and those below. */
  readonly prefixes: readonly string[]
  /** Profiles of exactly these teams as well. */
  readonly teams: readonly string[]
  /** Only profiles of exactly these teams. */
  readonly only: readonly string[] | undefined
  readonly before: string | undefined
  readonly limit: number
}

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

export async function insertProfile(db: Queryable, row: ProfileRow): Promise<void> {
  await db
    .insertInto('profiles')
    .values({
      id: row.id,
      team_path: row.teamPath,
      name: row.name,
      ...columnsOf(row),
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    })
    .execute()
}

export async function updateProfile(db: Queryable, row: ProfileRow): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ ...columnsOf(row), updated_at: row.updatedAt })
    .where('id', '=', row.id)
    .execute()
}

export async function deleteProfile(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('profiles').where('id', '=', id).execute()
}

export async function findProfileById(db: Queryable, id: string): Promise<ProfileRow | undefined> {
  const row = await db.selectFrom('profiles').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row && toProfile(row)
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
  return nearest && toProfile(nearest)
}

/** Holds the row until the transaction ends, so that two writers take turns. */
export async function lockProfile(tx: Tx, id: string): Promise<ProfileRow | undefined> {
  const row = await tx.selectFrom('profiles').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toProfile(row)
}

export async function listProfiles(db: Queryable, filter: ProfileFilter): Promise<ProfileRow[]> {
  let query = db
    .selectFrom('profiles')
    .select(COLUMNS)
    .where((where) =>
      where.or([
        withinPrefixes('team_path', filter.prefixes),
        ...(filter.teams.length > 0 ? [where('team_path', 'in', [...filter.teams])] : []),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.only) query = query.where('team_path', 'in', [...filter.only])
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toProfile)
}

interface Columns {
  readonly id: string
  readonly team_path: string
  readonly name: string
  readonly executor: string
  readonly image: string | null
  readonly labels: readonly string[]
  readonly environment: unknown
  readonly resources: unknown
  readonly created_at: Date
  readonly updated_at: Date
}

function columnsOf(content: ProfileContent): {
  executor: string
  image: string | null
  labels: string[]
  environment: string
  resources: string
} {
  return {
    executor: content.executor,
    image: content.image,
    labels: [...content.labels],
    environment: JSON.stringify(content.environment),
    resources: JSON.stringify({ cpus: content.resources.cpus, memory_mb: content.resources.memoryMb }),
  }
}

function toProfile(row: Columns): ProfileRow {
  return {
    id: row.id,
    teamPath: row.team_path,
    name: row.name,
    executor: row.executor === 'container' ? 'container' : 'host',
    image: row.image,
    labels: row.labels,
    environment: toTexts(row.environment),
    resources: toResources(row.resources),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]))
}

function toResources(value: unknown): Resources {
  const numbers = new Map(Object.entries(value ?? {}).map(([name, number]) => [name, Number(number)]))
  const cpus = numbers.get('cpus')
  const memory = numbers.get('memory_mb')
  return { ...(cpus === undefined ? {} : { cpus }), ...(memory === undefined ? {} : { memoryMb: memory }) }
}
