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
  withinPrefixes,
} from '#platform/database'
import type { Window } from '#platform/http'

const TEAM = ['id', 'path', 'name', 'created_at', 'updated_at'] as const
const ENVIRONMENT = ['id', 'team_id', 'name', 'protected', 'allowed_subjects', 'created_at', 'updated_at'] as const

export type TeamRow = RowOf<'teams', (typeof TEAM)[number]>
export type EnvironmentRow = RowOf<'environments', (typeof ENVIRONMENT)[number]>

/** An environment with the path of its team: what decides who may use a scope. */
export interface ScopeRow extends Pick<EnvironmentRow, 'protected' | 'allowedSubjects'> {
  readonly teamPath: string
  readonly environment: string
}

export async function insertTeam(db: Queryable, row: TeamRow, parentId: string | null): Promise<void> {
  await db
    .insertInto('teams')
    .values({ ...toSnake(row), parent_id: parentId })
    .execute()
}

export async function findTeamById(db: Queryable, id: string): Promise<TeamRow | undefined> {
  return findOne(db.selectFrom('teams').select(TEAM).where('id', '=', id))
}

export async function findTeamByPath(db: Queryable, path: string): Promise<TeamRow | undefined> {
  return findOne(db.selectFrom('teams').select(TEAM).where('path', '=', path))
}

/** The oldest team that has no team above it; undefined while there is none. */
export async function findOldestRoot(db: Queryable): Promise<TeamRow | undefined> {
  return findOne(db.selectFrom('teams').select(TEAM).where('parent_id', 'is', null).orderBy('id').limit(1))
}

/** Locks the row until the transaction ends, so that two changes see each other. */
export async function lockTeam(tx: Tx, id: string): Promise<TeamRow | undefined> {
  return findOne(tx.selectFrom('teams').select(TEAM).where('id', '=', id).forUpdate())
}

/** The teams at `prefixes` and those below. */
export async function listTeams(db: Queryable, prefixes: readonly string[], window: Window): Promise<TeamRow[]> {
  let query = db
    .selectFrom('teams')
    .select(TEAM)
    .where(withinPrefixes('path', prefixes))
    .orderBy('id', 'desc')
    .limit(window.limit)
  if (window.before) query = query.where('id', '<', window.before)
  return (await query.execute()).map(toCamel)
}

export async function updateTeam(db: Queryable, row: TeamRow): Promise<void> {
  await db.updateTable('teams').set(toSnake(row)).where('id', '=', row.id).execute()
}

export async function deleteTeam(db: Queryable, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('teams').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function insertEnvironment(db: Queryable, row: EnvironmentRow): Promise<void> {
  await db.insertInto('environments').values(toSnake(row)).execute()
}

export async function lockEnvironment(tx: Tx, teamId: string, name: string): Promise<EnvironmentRow | undefined> {
  return findOne(
    tx
      .selectFrom('environments')
      .select(ENVIRONMENT)
      .where('team_id', '=', teamId)
      .where('name', '=', name)
      .forUpdate(),
  )
}

export async function listEnvironments(db: Queryable, teamId: string, window: Window): Promise<EnvironmentRow[]> {
  let query = db
    .selectFrom('environments')
    .select(ENVIRONMENT)
    .where('team_id', '=', teamId)
    .orderBy('id', 'desc')
    .limit(window.limit)
  if (window.before) query = query.where('id', '<', window.before)
  return (await query.execute()).map(toCamel)
}

export async function updateEnvironment(db: Queryable, row: EnvironmentRow): Promise<void> {
  await db.updateTable('environments').set(toSnake(row)).where('id', '=', row.id).execute()
}

export async function deleteEnvironment(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('environments').where('id', '=', id).execute()
}

export async function findScope(db: Queryable, teamPath: string, environment: string): Promise<ScopeRow | undefined> {
  return scopes(db).where('teams.path', '=', teamPath).where('environments.name', '=', environment).executeTakeFirst()
}

export async function listScopes(db: Queryable): Promise<ScopeRow[]> {
  return scopes(db).execute()
}

function scopes(db: Queryable) {
  return db
    .selectFrom('environments')
    .innerJoin('teams', 'teams.id', 'environments.team_id')
    .select([
      'teams.path as teamPath',
      'environments.name as environment',
      'environments.protected',
      'environments.allowed_subjects as allowedSubjects',
    ])
}

/** The teams at `prefixes` and those below, by their paths and by what people call them. */
export function searchTeams(db: Queryable, prefixes: readonly string[], wish: TextWish): Promise<FoundByText[]> {
  const [title, detail] = [sql<string>`path`, sql<string>`name`]
  const name = sql<string>`regexp_replace(path, '^.*/', '')`
  const text = sql<string>`(path || ' ' || name)`
  const where = withinPrefixes('path', prefixes)
  return findByText(db, { table: 'teams', where, name, title, text, teamPath: title, detail }, wish)
}
