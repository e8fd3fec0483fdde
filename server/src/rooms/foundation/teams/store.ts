import type { Selectable } from 'kysely'
import { type DB, type Queryable, withinPrefixes } from '#platform/database'

export interface TeamRow {
  readonly id: string
  readonly path: string
  readonly name: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface EnvironmentRow {
  readonly id: string
  readonly teamId: string
  readonly name: string
  readonly protected: boolean
  readonly allowedSubjects: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An environment with the path of its team: what decides who may use a scope. */
export interface ScopeRow {
  readonly teamPath: string
  readonly environment: string
  readonly protected: boolean
  readonly allowedSubjects: readonly string[]
}

export async function insertTeam(db: Queryable, row: TeamRow, parentId: string | null): Promise<void> {
  await db
    .insertInto('teams')
    .values({
      id: row.id,
      path: row.path,
      name: row.name,
      parent_id: parentId,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    })
    .execute()
}

export async function findTeamById(db: Queryable, id: string): Promise<TeamRow | undefined> {
  const row = await db.selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toTeam(row)
}

export async function findTeamByPath(db: Queryable, path: string): Promise<TeamRow | undefined> {
  const row = await db.selectFrom('teams').selectAll().where('path', '=', path).executeTakeFirst()
  return row && toTeam(row)
}

/** Locks the row until the transaction ends, so that two changes see each other. */
export async function lockTeam(db: Queryable, id: string): Promise<TeamRow | undefined> {
  const row = await db.selectFrom('teams').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toTeam(row)
}

export async function listTeams(
  db: Queryable,
  filter: { prefixes: readonly string[]; before: string | undefined; limit: number },
): Promise<TeamRow[]> {
  let query = db
    .selectFrom('teams')
    .selectAll()
    .where(withinPrefixes('path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toTeam)
}

export async function renameTeam(db: Queryable, id: string, name: string, at: Date): Promise<void> {
  await db.updateTable('teams').set({ name, updated_at: at }).where('id', '=', id).execute()
}

export async function deleteTeam(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('teams').where('id', '=', id).execute()
}

export async function insertEnvironment(db: Queryable, row: EnvironmentRow): Promise<void> {
  await db
    .insertInto('environments')
    .values({
      id: row.id,
      team_id: row.teamId,
      name: row.name,
      protected: row.protected,
      allowed_subjects: [...row.allowedSubjects],
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    })
    .execute()
}

export async function lockEnvironment(
  db: Queryable,
  teamId: string,
  name: string,
): Promise<EnvironmentRow | undefined> {
  const row = await db
    .selectFrom('environments')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  return row && toEnvironment(row)
}

export async function listEnvironments(
  db: Queryable,
  filter: { teamId: string; before: string | undefined; limit: number },
): Promise<EnvironmentRow[]> {
  let query = db
    .selectFrom('environments')
    .selectAll()
    .where('team_id', '=', filter.teamId)
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toEnvironment)
}

export async function saveProtection(db: Queryable, row: EnvironmentRow): Promise<void> {
  await db
    .updateTable('environments')
    .set({ protected: row.protected, allowed_subjects: [...row.allowedSubjects], updated_at: row.updatedAt })
    .where('id', '=', row.id)
    .execute()
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
    .select((eb) => [
      eb.ref('teams.path').as('teamPath'),
      eb.ref('environments.name').as('environment'),
      eb.ref('environments.protected').as('protected'),
      eb.ref('environments.allowed_subjects').as('allowedSubjects'),
    ])
}

function toTeam(row: Selectable<DB['teams']>): TeamRow {
  return { id: row.id, path: row.path, name: row.name, createdAt: row.created_at, updatedAt: row.updated_at }
}

function toEnvironment(row: Selectable<DB['environments']>): EnvironmentRow {
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    protected: row.protected,
    allowedSubjects: row.allowed_subjects,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
