import type { GitAppProvider, InstallationStatus } from '@signalbox/contracts/git-apps'
import { sql } from 'kysely'
import { type Queryable, toCamel } from '#platform/database'

export interface RepositoryRow {
  /** The provider's. */
  readonly id: string
  readonly fullName: string
  readonly private: boolean
  readonly defaultBranch: string | null
}

export async function listRepositories(db: Queryable, installation: string): Promise<RepositoryRow[]> {
  const rows = await db
    .selectFrom('git_installation_repositories')
    .select(['repository_id as id', 'full_name', 'private', 'default_branch'])
    .where('installation', '=', installation)
    .execute()
  return rows.map(toCamel)
}

/** Writes what is new or differs, in one statement: thousands come at once. */
export async function saveRepositories(
  db: Queryable,
  installation: string,
  rows: readonly RepositoryRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into git_installation_repositories (installation, repository_id, full_name, name_key, private, default_branch)
    select ${installation}::uuid, id, full_name, lower(full_name), private, default_branch
      from json_to_recordset(${JSON.stringify(
        rows.map(({ id, fullName, private: isPrivate, defaultBranch }) => ({
          id,
          full_name: fullName,
          private: isPrivate,
          default_branch: defaultBranch,
        })),
      )}::json) as given(id text, full_name text, private boolean, default_branch text)
    on conflict (installation, repository_id) do update
      set full_name = excluded.full_name, name_key = excluded.name_key, private = excluded.private,
        default_branch = excluded.default_branch`.execute(db)
}

/** Answers how many were there. */
export async function deleteRepositories(db: Queryable, installation: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numDeletedRows } = await db
    .deleteFrom('git_installation_repositories')
    .where('installation', '=', installation)
    .where('repository_id', '=', sql<string>`any(${[...ids]})`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** A way to a repository: the installation that has it, and what a team may use of that. */
export interface RepositoryAccess {
  readonly installation: string
  readonly provider: GitAppProvider
  readonly installationId: string
  readonly account: string | null
  readonly status: InstallationStatus
  readonly permissions: Readonly<Record<string, string>>
  readonly repositories: readonly string[]
}

/** Of the teams in `paths`. Served by the index on names. */
export async function listAccess(
  db: Queryable,
  wanted: { readonly provider: GitAppProvider; readonly repository: string; readonly paths: readonly string[] },
): Promise<RepositoryAccess[]> {
  const rows = await db
    .selectFrom('git_installation_repositories as r')
    .innerJoin('git_installations as i', 'i.id', 'r.installation')
    .innerJoin('git_installation_teams as t', 't.installation', 'i.id')
    .select([
      'i.id as installation',
      'i.provider',
      'i.installation_id',
      'i.account',
      'i.status',
      'i.permissions',
      't.repositories',
    ])
    .where('r.name_key', '=', wanted.repository.toLowerCase())
    .where('i.provider', '=', wanted.provider)
    .where('t.team_path', 'in', [...wanted.paths])
    .orderBy('i.id', 'desc')
    .execute()
  return rows.map(toCamel)
}

export interface ConnectedRow extends RepositoryAccess {
  readonly nameKey: string
  readonly fullName: string
  readonly private: boolean
  readonly defaultBranch: string | null
}

/** By name, after the name `after`: the repositories of installations that teams in `paths` may use, patterns unasked. */
export async function listConnected(
  db: Queryable,
  wanted: {
    readonly provider: GitAppProvider
    readonly paths: readonly string[]
    readonly after: string | undefined
    readonly limit: number
  },
): Promise<ConnectedRow[]> {
  let query = db
    .selectFrom('git_installation_repositories as r')
    .innerJoin('git_installations as i', 'i.id', 'r.installation')
    .innerJoin('git_installation_teams as t', 't.installation', 'i.id')
    .select([
      'r.name_key',
      'r.full_name',
      'r.private',
      'r.default_branch',
      'i.id as installation',
      'i.provider',
      'i.installation_id',
      'i.account',
      'i.status',
      'i.permissions',
      't.repositories',
    ])
    .where('i.provider', '=', wanted.provider)
    .where('t.team_path', 'in', [...wanted.paths])
    .orderBy('r.name_key')
    .orderBy('i.id', 'desc')
    .limit(wanted.limit)
  if (wanted.after !== undefined) query = query.where('r.name_key', '>', wanted.after)
  return (await query.execute()).map(toCamel)
}
