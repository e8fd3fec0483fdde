import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { type Queryable, type RowOf, toCamel, toSnake } from '#platform/database'

export type TeamUse = RowOf<'git_installation_teams'>

/** By path. */
export async function listTeamUses(db: Queryable, installations: readonly string[]): Promise<TeamUse[]> {
  if (installations.length === 0) return []
  const rows = await db
    .selectFrom('git_installation_teams')
    .selectAll()
    .where('installation', 'in', [...installations])
    .orderBy('team_path')
    .execute()
  return rows.map(toCamel)
}

export async function replaceTeamUses(db: Queryable, installation: string, uses: readonly TeamUse[]): Promise<void> {
  await db.deleteFrom('git_installation_teams').where('installation', '=', installation).execute()
  if (uses.length > 0) {
    await db
      .insertInto('git_installation_teams')
      .values(uses.map((use) => toSnake(use)))
      .execute()
  }
}

/** Whether one of the teams may use any installation of the provider's app. */
export async function mayUseAny(db: Queryable, provider: GitAppProvider, paths: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('git_installation_teams')
    .innerJoin('git_installations', 'git_installations.id', 'git_installation_teams.installation')
    .select('git_installations.id')
    .where('git_installation_teams.team_path', 'in', [...paths])
    .where('git_installations.provider', '=', provider)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
