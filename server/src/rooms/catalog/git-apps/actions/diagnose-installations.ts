import type { Means } from '../means.ts'
import { type DoctorStep, failed, skipped, warned, well } from '../rules/diagnosis.ts'
import { findMissing } from '../rules/grants.ts'
import { type InstallationRow, listInstallations } from '../store/installations.ts'
import { listTeamUses, type TeamUse } from '../store/teams.ts'
import type { ConnectedApp } from './connect-app.ts'

/** More of them are not looked at one by one. */
const MAX = 200

/** The steps `installation` and `permissions`, of each installation. */
export async function diagnoseInstallations(
  means: Means,
  connected: ConnectedApp,
  signal: AbortSignal,
): Promise<readonly DoctorStep[]> {
  const db = means.database.kysely
  const rows = await listInstallations(db, connected.app.provider, { before: undefined, limit: MAX })
  const uses = await listTeamUses(
    db,
    rows.map(({ id }) => id),
  )
  const steps = rows.map((row) => judgeInstallation(row, uses))
  steps.push(...(await findUnknown(connected, rows, signal)))
  if (rows.length === 0) {
    const remedy =
      connected.apps.registration === null
        ? 'POST the name of an organization, group or account to the installations.'
        : 'Install the app at an account: POST install/start, and open the address.'
    steps.push(failed('installation', 'No installation is recorded.', remedy))
    return [...steps, skipped('permissions')]
  }
  if (connected.apps.features.length === 0) {
    const sentence = `${connected.forge.title} tells no rights by feature: a missing scope of the token shows at its first use.`
    return [...steps, skipped('permissions', sentence)]
  }
  const missing = rows.flatMap((row) => judgePermissions(connected, row))
  return [...steps, ...(missing.length > 0 ? missing : [well('permissions', 'Every feature has its permissions.')])]
}

function judgeInstallation(row: InstallationRow, uses: readonly TeamUse[]): DoctorStep {
  const { installationId: id, status, reason, account } = row
  const named = `The installation ${id}${account === null ? '' : ` at ${account}`}`
  if (status === 'suspended' || status === 'removed') {
    return failed('installation', `${named} is ${status}.`, reason ?? 'Install the app again.', id)
  }
  if (status === 'unverified') {
    return failed('installation', `${named} is not verified.${reason === null ? '' : ` ${reason}`}`, 'Verify it.', id)
  }
  if (!uses.some(({ installation }) => installation === row.id)) {
    const remedy = 'PUT the teams whose sources may use it.'
    return warned('installation', `${named} may be used by no team.`, remedy, id)
  }
  return well('installation', `${named} works, with ${row.repositoryCount} repositories.`, id)
}

/** Installations that the provider has and nobody recorded. */
async function findUnknown(
  { app, apps, connection }: ConnectedApp,
  rows: readonly InstallationRow[],
  signal: AbortSignal,
): Promise<readonly DoctorStep[]> {
  const listed = await apps.listInstallations(connection(signal))
  if (listed.outcome === 'not_found') return []
  if (listed.outcome === 'failed') {
    return [warned('installation', `The installations could not be listed: ${listed.reason}`, 'Try again later.')]
  }
  // The account of a connection is listed with its groups; mostly it has nothing of its own.
  const known = new Set([app.appId, ...rows.map(({ installationId }) => installationId)])
  return listed.value
    .filter(({ installationId }) => !known.has(installationId))
    .slice(0, MAX)
    .map(({ installationId: id, account }) =>
      warned(
        'installation',
        `The provider has an installation ${id}${account === null ? '' : ` at ${account}`} that is not recorded.`,
        'POST its id to the installations.',
        id,
      ),
    )
}

function judgePermissions({ apps }: ConnectedApp, row: InstallationRow): readonly DoctorStep[] {
  if (row.status === 'unverified' || row.status === 'removed') return []
  return findMissing(apps.features, row.permissions).map(({ permission, access, feature }) =>
    warned(
      'permissions',
      `The installation ${row.installationId} lacks ${permission}: ${access}, ${feature}.`,
      'Give the app the permission at the provider; an owner of the account then accepts it.',
      row.installationId,
    ),
  )
}
