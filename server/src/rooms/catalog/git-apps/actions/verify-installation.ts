import type { InstallationParams, VerifiedInstallation } from '@signalbox/contracts/git-apps'
import type { ForgeFailure } from '#adapters/forges'
import { type RequestOrigin, requirePermission } from '#platform/http'
import { toWireTime } from '#platform/time'
import { gitAppProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { REMOVED, type Standing, SUSPENDED, standingOf } from '../rules/standing.ts'
import { type InstallationName, lockInstallation, updateInstallation } from '../store/installations.ts'
import { type ConnectedApp, connectApp } from './connect-app.ts'
import { requireApp } from './find-app.ts'
import { getInstallation, installationNotFound, nameOf } from './find-installation.ts'
import { auditStanding } from './restrict-installation.ts'

/**
 * Exchanges a token with the provider and records what came of it. The provider's no is an answer. Throws 404, and
 * git_app.verification_not_run (500) where nobody could ask or nobody answered.
 */
export async function verifyInstallation(
  means: Means,
  { caller }: RequestOrigin,
  { params, signal }: { readonly params: InstallationParams; readonly signal: AbortSignal },
): Promise<VerifiedInstallation> {
  requirePermission(caller, 'git_app.write', '/')
  const name = nameOf(means, params)
  const known = await getInstallation(means.database.kysely, name)
  if (known.deletedAt) return record(means, name, { standing: REMOVED, ok: false })
  const app = await requireApp(means.database.kysely, name.provider)
  const connected = await connectApp(means, means.database.kysely, app)
  if ('unusable' in connected) throw notRun(connected.unusable)
  return record(means, name, await exchange(connected, name, signal))
}

interface Verdict {
  readonly ok: boolean
  /** Undefined: the standing stays, with the reason. */
  readonly standing: Standing | { readonly reason: string }
  readonly facts?: { readonly account: string | null; readonly permissions: Readonly<Record<string, string>> }
}

async function exchange(
  { app, apps, connection }: ConnectedApp,
  { installationId }: InstallationName,
  signal: AbortSignal,
): Promise<Verdict> {
  const asked = await apps.createToken(connection(signal), { installationId, repository: null, grants: {} })
  if (asked.outcome === 'not_found') return { ok: false, standing: REMOVED }
  if (asked.outcome === 'failed') return refusal(asked)
  const found = await apps.findInstallation(connection(signal), installationId)
  if (found.outcome === 'not_found') return { ok: false, standing: REMOVED }
  if (found.outcome === 'failed') return refusal(found)
  const standing = standingOf(found.value, apps.features, app.permissions)
  const { account, permissions } = found.value
  return { ok: standing.status !== 'suspended', standing, facts: { account, permissions } }
}

function refusal(failure: ForgeFailure): Verdict {
  if (failure.cause === 'suspended') return { ok: false, standing: SUSPENDED }
  if (failure.cause === 'refused') return { ok: false, standing: { reason: failure.reason } }
  throw notRun(failure.reason)
}

async function record(means: Means, name: InstallationName, verdict: Verdict): Promise<VerifiedInstallation> {
  const { ok, standing, facts } = verdict
  const verifiedAt = means.clock.now()
  const row = await means.database.transaction(async (tx) => {
    const before = await lockInstallation(tx, name)
    if (!before) throw installationNotFound()
    if (before.deletedAt) {
      const after = { ...before, lastVerifiedAt: verifiedAt }
      await updateInstallation(tx, after)
      return after
    }
    const after = { ...before, ...facts, ...standing, lastVerifiedAt: verifiedAt }
    const suspendedAt = after.status === 'suspended' ? (before.suspendedAt ?? verifiedAt) : null
    await updateInstallation(tx, { ...after, suspendedAt, version: before.version + 1 })
    await auditStanding(means, tx, before, after)
    return after
  })
  if (!ok) means.tokens.dropOf(name.provider, name.installationId)
  return {
    installation_id: name.installationId,
    ok,
    verified_at: toWireTime(verifiedAt),
    status: row.status,
    reason: row.reason,
  }
}

function notRun(reason: string): Error {
  return gitAppProblem('git_app.verification_not_run', reason)
}
