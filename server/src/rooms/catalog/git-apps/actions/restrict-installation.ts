import type { Tx } from '#platform/database'
import { type RequestOrigin, systemCaller } from '#platform/http'
import type { Means } from '../means.ts'
import { REMOVED, type Standing, SUSPENDED } from '../rules/standing.ts'
import {
  type InstallationName,
  type InstallationRow,
  lockInstallation,
  updateInstallation,
} from '../store/installations.ts'

/** The provider said so, not a person. */
export function providerOrigin(means: Means, provider: string): RequestOrigin {
  return { caller: systemCaller(`git-app:${provider}`), address: 'local', requestId: means.ids.next() }
}

/** The provider refused for the installation: what is kept of it says so from now on. */
export async function noteRefusal(
  means: Means,
  name: InstallationName,
  refusal: 'suspended' | 'removed',
): Promise<void> {
  await means.database.transaction(
    async (tx) => {
      const row = await lockInstallation(tx, name)
      if (row) await restrict(means, tx, row, refusal === 'suspended' ? SUSPENDED : REMOVED)
    },
    { afterCommit: () => means.tokens.dropOf(name.provider, name.installationId) },
  )
}

/** The row is locked. An answer that was asked for before is not stored after it. */
export async function restrict(means: Means, tx: Tx, row: InstallationRow, standing: Standing): Promise<void> {
  const after = restricted(means, row, standing)
  await updateInstallation(tx, after)
  await auditStanding(means, tx, row, after)
}

/** One that was deleted stays deleted. */
function restricted(means: Means, row: InstallationRow, { status, reason }: Standing): InstallationRow {
  const version = row.version + 1
  if (row.deletedAt !== null) return { ...row, version }
  const suspendedAt = status === 'suspended' ? (row.suspendedAt ?? means.clock.now()) : null
  return { ...row, status, reason, suspendedAt, version }
}

/** Where the status changed: runs that fail from then on have a reason that can be found. */
export async function auditStanding(
  means: Means,
  tx: Tx,
  before: InstallationRow,
  after: InstallationRow,
): Promise<void> {
  if (before.status === after.status) return
  await means.audit.record(tx, {
    origin: providerOrigin(means, after.provider),
    action: 'git_installation.status_changed',
    resource: { kind: 'git_installation', id: `${after.provider}:${after.installationId}` },
    teamPath: '/',
    before: { status: before.status, reason: before.reason },
    after: { status: after.status, reason: after.reason },
  })
}
