import type { CreateInstallation, InstallationParams, InstallationTeams } from '@signalbox/contracts/git-apps'
import { validatePatterns } from '@signalbox/pipeline/patterns'
import type { FoundInstallation } from '#adapters/forges'
import type { Tx } from '#platform/database'
import { type RequestOrigin, requirePermission } from '#platform/http'
import { describeFaults, type FieldError, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { isInstallationId } from '../rules/installation-id.ts'
import { type Standing, standingOf } from '../rules/standing.ts'
import type { AppRow } from '../store/apps.ts'
import {
  deleteInstallation,
  type InstallationName,
  type InstallationRow,
  insertInstallation,
  lockInstallation,
  updateInstallation,
} from '../store/installations.ts'
import { listTeamUses, replaceTeamUses, type TeamUse } from '../store/teams.ts'
import { connectApp } from './connect-app.ts'
import { readProvider, requireApp } from './find-app.ts'
import {
  type DescribedInstallation,
  describe,
  installationNotFound,
  nameOf,
  presentInstallation,
} from './find-installation.ts'
import { emptyInstallation } from './hear-delivery.ts'
import { queueRefresh } from './queue-refresh.ts'

/** The provider need not answer: what it does not prove is `unverified`. */
const ASK_MS = 10_000

/** Records an installation by its id. Throws 400 for an id that cannot be one, 412 without an app. */
export async function createInstallation(
  means: Means,
  origin: RequestOrigin,
  { provider: name, body, signal }: CreationAsked,
): Promise<DescribedInstallation> {
  requirePermission(origin.caller, 'git_app.write', '/')
  const provider = readProvider(means, name)
  const installationId = String(body.installation_id ?? '')
  if (!isInstallationId(provider, installationId)) throw unusableId(installationId)
  const app = await requireApp(means.database.kysely, provider)
  const asked = await ask(means, app, installationId, signal)
  return recordInstallation(means, origin, { app, installationId, ...asked })
}

export interface CreationAsked {
  readonly provider: InstallationParams['provider']
  readonly body: CreateInstallation
  readonly signal: AbortSignal
}

interface Proof {
  readonly found: FoundInstallation | undefined
  readonly standing: Standing
}

async function ask(means: Means, app: AppRow, installationId: string, signal: AbortSignal): Promise<Proof> {
  const connected = await connectApp(means, means.database.kysely, app)
  if ('unusable' in connected) return unproved(connected.unusable)
  const limit = new AbortController()
  const timer = means.clock.after(ASK_MS, () => limit.abort())
  try {
    const connection = connected.connection(AbortSignal.any([signal, limit.signal]))
    const answer = await connected.apps.findInstallation(connection, installationId)
    switch (answer.outcome) {
      case 'found':
        return {
          found: answer.value,
          standing: standingOf(answer.value, connected.apps.features, app.permissions),
        }
      case 'not_found':
        return unproved(`${connected.forge.title} knows no installation ${installationId} of this app.`)
      case 'failed':
        return unproved(answer.reason)
    }
  } finally {
    timer.cancel()
  }
}

function unproved(reason: string): Proof {
  return { found: undefined, standing: { status: 'unverified', reason } }
}

export interface RecordedInstallation extends Proof {
  readonly app: AppRow
  readonly installationId: string
}

/**
 * Keeps the installation, for the team of the app where no team may use it yet. One that was deleted at the provider
 * stays so.
 */
export async function recordInstallation(
  means: Means,
  origin: RequestOrigin,
  recorded: RecordedInstallation,
): Promise<DescribedInstallation> {
  const { app, installationId, found } = recorded
  const name = { provider: app.provider, installationId }
  return means.database.transaction(async (tx) => {
    await insertInstallation(tx, emptyInstallation(means, name))
    const before = await lockInstallation(tx, name)
    if (!before) throw installationNotFound()
    const row = before.deletedAt ? before : withProof(means, before, recorded)
    await updateInstallation(tx, row)
    await giveDefaultTeam(tx, app, row)
    const described = await describe(tx, row)
    await means.audit.record(tx, {
      origin,
      ...about(name),
      action: 'git_installation.recorded',
      after: presentInstallation(means, described),
    })
    if (found && !row.deletedAt) await queueRefresh(means, tx, name)
    return described
  })
}

function withProof(means: Means, before: InstallationRow, { found, standing }: RecordedInstallation): InstallationRow {
  // A provider that does not answer takes back nothing that it proved before.
  if (!found) return before.status === 'unverified' ? { ...before, ...standing } : before
  const now = means.clock.now()
  return {
    ...before,
    ...standing,
    account: found.account,
    repositorySelection: found.selection,
    permissions: found.permissions,
    htmlUrl: found.htmlUrl,
    suspendedAt: found.suspendedAt === null ? null : (before.suspendedAt ?? now),
    lastVerifiedAt: now,
  }
}

const ALL = '**'

async function giveDefaultTeam(tx: Tx, { teamPath }: AppRow, { id }: InstallationRow): Promise<void> {
  if (teamPath === null || (await listTeamUses(tx, [id])).length > 0) return
  await replaceTeamUses(tx, id, [{ installation: id, teamPath, repositories: [ALL] }])
}

/** Forgets the installation: nothing acts for it any more. Throws 400 for an id that cannot be one, 404. */
export async function removeInstallation(
  means: Means,
  origin: RequestOrigin,
  params: InstallationParams,
): Promise<void> {
  requirePermission(origin.caller, 'git_app.write', '/')
  const name = nameOf(means, params)
  if (!isInstallationId(name.provider, name.installationId)) throw unusableId(name.installationId)
  await means.database.transaction(
    async (tx) => {
      const row = await lockInstallation(tx, name)
      if (!row) throw installationNotFound()
      const before = presentInstallation(means, await describe(tx, row))
      await deleteInstallation(tx, row.id)
      await means.audit.record(tx, { origin, ...about(name), action: 'git_installation.deleted', before })
    },
    { afterCommit: () => means.tokens.dropOf(name.provider, name.installationId) },
  )
}

/** Throws 400 for an unknown team and for an unreadable pattern, 404. */
export async function replaceTeams(
  means: Means,
  origin: RequestOrigin,
  { params, body }: { readonly params: InstallationParams; readonly body: InstallationTeams },
): Promise<DescribedInstallation> {
  requirePermission(origin.caller, 'git_app.write', '/')
  const name = nameOf(means, params)
  requireTeams(body)
  return means.database.transaction(async (tx) => {
    const row = await lockInstallation(tx, name)
    if (!row) throw installationNotFound()
    for (const { team_path: path } of body.teams) await means.teams.getTeamByPath(tx, path)
    const before = presentInstallation(means, await describe(tx, row))
    const uses: TeamUse[] = body.teams.map(({ team_path: teamPath, repositories = [ALL] }) => ({
      installation: row.id,
      teamPath,
      repositories,
    }))
    await replaceTeamUses(tx, row.id, uses)
    const described = await describe(tx, row)
    const after = presentInstallation(means, described)
    await means.audit.record(tx, { origin, ...about(name), action: 'git_installation.teams_changed', before, after })
    return described
  })
}

function requireTeams({ teams }: InstallationTeams): void {
  const faults: FieldError[] = []
  for (const [index, { team_path: path, repositories = [] }] of teams.entries()) {
    if (teams.findIndex((other) => other.team_path === path) !== index) {
      faults.push({ field: `teams.${index}.team_path`, message: 'stands there twice' })
    }
    for (const { message } of validatePatterns(repositories)) {
      faults.push({ field: `teams.${index}.repositories`, message })
    }
  }
  if (faults.length > 0) throw platformProblem('invalid_request', describeFaults(faults), { errors: faults })
}

function about({ provider, installationId }: InstallationName) {
  return { resource: { kind: 'git_installation', id: `${provider}:${installationId}` }, teamPath: '/' }
}

function unusableId(id: string): Error {
  const message = id === '' ? 'is missing' : 'cannot be an id of an installation at the provider'
  return platformProblem('invalid_request', `installation_id ${message}: the page of the installation shows it.`, {
    errors: [{ field: 'installation_id', message }],
  })
}
