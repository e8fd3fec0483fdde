import type { GitAppParams, Installation, InstallationParams, InstallationQuery } from '@signalbox/contracts/git-apps'
import type { Queryable } from '#platform/database'
import { type Caller, type Page, pageOf, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { toWireTimeOrNull } from '#platform/time'
import type { Means } from '../means.ts'
import { findMissing } from '../rules/grants.ts'
import { isInstallationId } from '../rules/installation-id.ts'
import {
  findInstallation,
  type InstallationName,
  type InstallationRow,
  listInstallations,
} from '../store/installations.ts'
import { listTeamUses, type TeamUse } from '../store/teams.ts'
import { readProvider } from './find-app.ts'

/** An installation, with the teams that may use it. */
export interface DescribedInstallation {
  readonly id: string
  readonly row: InstallationRow
  readonly teams: readonly TeamUse[]
}

export function nameOf(means: Means, { provider, installationID }: InstallationParams): InstallationName {
  return { provider: readProvider(means, provider), installationId: installationID }
}

/** Throws 404. */
export async function readInstallation(
  means: Means,
  caller: Caller,
  params: InstallationParams,
): Promise<DescribedInstallation> {
  requirePermission(caller, 'git_app.read', '/')
  const db = means.database.kysely
  return describe(db, await getInstallation(db, nameOf(means, params)))
}

/** Throws 404. */
export async function getInstallation(db: Queryable, name: InstallationName): Promise<InstallationRow> {
  const row = isInstallationId(name.provider, name.installationId) ? await findInstallation(db, name) : undefined
  if (!row) throw installationNotFound()
  return row
}

export function installationNotFound(): Error {
  return platformProblem('not_found', 'There is no such installation: GET the list, or POST its id there.')
}

export async function describe(db: Queryable, row: InstallationRow): Promise<DescribedInstallation> {
  return { id: row.id, row, teams: await listTeamUses(db, [row.id]) }
}

export async function readInstallations(
  means: Means,
  caller: Caller,
  { provider: name, query }: { readonly provider: GitAppParams['provider']; readonly query: InstallationQuery },
): Promise<Page<DescribedInstallation>> {
  requirePermission(caller, 'git_app.read', '/')
  const db = means.database.kysely
  const page = await pageOf(query, (window) => listInstallations(db, readProvider(means, name), window))
  const uses = Map.groupBy(
    await listTeamUses(
      db,
      page.items.map(({ id }) => id),
    ),
    ({ installation }) => installation,
  )
  return { ...page, items: page.items.map((row) => ({ id: row.id, row, teams: uses.get(row.id) ?? [] })) }
}

export function presentInstallation({ forges }: Means, { row, teams }: DescribedInstallation): Installation {
  const features = forges.find(row.provider)?.apps?.features ?? []
  // What was given is not known before the provider told it.
  const missing = row.refreshedAt === null && row.lastVerifiedAt === null ? [] : findMissing(features, row.permissions)
  return {
    provider: row.provider,
    installation_id: row.installationId,
    account: row.account,
    status: row.status,
    reason: row.reason,
    repository_selection: row.repositorySelection,
    repository_count: row.repositoryCount,
    permissions: { ...row.permissions },
    missing_permissions: missing.map(({ permission, access, feature }) => ({ permission, access, feature })),
    teams: teams.map(({ teamPath, repositories }) => ({ team_path: teamPath, repositories: [...repositories] })),
    html_url: row.htmlUrl,
    last_verified_at: toWireTimeOrNull(row.lastVerifiedAt),
    refreshed_at: toWireTimeOrNull(row.refreshedAt),
  }
}
