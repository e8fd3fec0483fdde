import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import { isUsable, whyUnusable } from '../rules/standing.ts'
import type { CredentialWish } from '../rules/wish.ts'
import { type AppRow, findApp } from '../store/apps.ts'
import { listAccess, type RepositoryAccess } from '../store/repositories.ts'
import { mayUseAny } from '../store/teams.ts'
import type { UnusableApp } from './connect-app.ts'
import { admits } from './list-connected.ts'

export interface FoundAccess {
  readonly app: AppRow
  readonly access: RepositoryAccess
}

/**
 * The installation that has the repository and that the team may use. What the team may not use reads exactly like what
 * does not exist.
 */
export async function findAccess(
  means: Means,
  db: Queryable,
  provider: GitAppProvider,
  wish: CredentialWish,
): Promise<FoundAccess | UnusableApp> {
  const { teamPath, repository, baseUrl } = wish
  const app = await findApp(db, provider)
  const paths = means.teams.selfAndAncestors(teamPath)
  const found = await listAccess(db, { provider, repository, paths })
  const usable = found.filter(({ repositories }) => admits({ repositories, fullName: repository }))
  const access = usable.find(({ status }) => isUsable(status)) ?? usable[0]
  if (!app || !access || app.baseUrl !== baseUrl) {
    return {
      unusable: `The app at ${provider} has no installation with ${repository} that ${teamPath} may use: an administrator refreshes the installation, or lets the team use it.`,
    }
  }
  const why = whyUnusable({ ...access, provider })
  return why === undefined ? { app, access } : { unusable: why }
}

/** Whether something of the team may name the app: the team, or one above it, owns the app or may use an installation. */
export async function mayNameApp(means: Means, db: Queryable, app: AppRow, teamPath: string): Promise<boolean> {
  const paths = means.teams.selfAndAncestors(teamPath)
  return (app.teamPath !== null && paths.includes(app.teamPath)) || mayUseAny(db, app.provider, paths)
}
