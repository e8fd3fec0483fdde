import type { GitAppParams, GitAppProvider } from '@signalbox/contracts/git-apps'
import type { Queryable } from '#platform/database'
import { type Caller, requirePermission } from '#platform/http'
import { gitAppProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { type AppRow, findApp } from '../store/apps.ts'
import { type KeyRow, listKeys } from '../store/keys.ts'

/** `forge` stands for the configured provider. */
export function readProvider({ config }: Means, name: GitAppParams['provider']): GitAppProvider {
  return name === 'forge' ? config.forgeProvider : name
}

export interface FoundApp {
  readonly row: AppRow
  readonly keys: readonly KeyRow[]
}

export async function readApp(
  means: Means,
  caller: Caller,
  name: GitAppParams['provider'],
): Promise<FoundApp | undefined> {
  requirePermission(caller, 'git_app.read', '/')
  return loadApp(means.database.kysely, readProvider(means, name))
}

export async function loadApp(db: Queryable, provider: GitAppProvider): Promise<FoundApp | undefined> {
  const row = await findApp(db, provider)
  return row && { row, keys: await listKeys(db, provider) }
}

/** Throws git_app.not_registered (412) without an app. */
export async function requireApp(db: Queryable, provider: GitAppProvider): Promise<AppRow> {
  const row = await findApp(db, provider)
  if (row) return row
  throw gitAppProblem('git_app.not_registered', `Register an app at ${provider} first, or PUT the settings of one.`)
}
