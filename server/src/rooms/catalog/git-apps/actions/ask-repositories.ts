import type { InstallationParams } from '@signalbox/contracts/git-apps'
import { type Caller, type RequestOrigin, requirePermission } from '#platform/http'
import { gitAppProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { listRepositories, type RepositoryRow } from '../store/repositories.ts'
import { getInstallation, installationNotFound, nameOf } from './find-installation.ts'
import { type RefreshedRepositories, refreshInstallation } from './refresh-installation.ts'

export interface InstallationAsked {
  readonly params: InstallationParams
  readonly signal: AbortSignal
}

/** Throws 404, git_app.provider_failed (502) with what the provider said, git_app.unusable (500). */
export async function refreshNow(
  means: Means,
  { caller }: RequestOrigin,
  asked: InstallationAsked,
): Promise<RefreshedRepositories> {
  requirePermission(caller, 'git_app.write', '/')
  return refresh(means, asked)
}

/** As the provider has them now, by name. Throws as refreshNow. */
export async function askRepositories(
  means: Means,
  caller: Caller,
  asked: InstallationAsked,
): Promise<readonly RepositoryRow[]> {
  requirePermission(caller, 'git_app.read', '/')
  const { row } = await refresh(means, asked)
  const found = await listRepositories(means.database.kysely, row.id)
  return found.toSorted((a, b) => (a.fullName < b.fullName ? -1 : 1))
}

async function refresh(means: Means, { params, signal }: InstallationAsked): Promise<RefreshedRepositories> {
  const name = nameOf(means, params)
  await getInstallation(means.database.kysely, name)
  const answer = await refreshInstallation(means, name, { signal })
  switch (answer.outcome) {
    case 'refreshed':
      return answer
    case 'absent':
      throw installationNotFound()
    case 'refused':
      throw gitAppProblem('git_app.provider_failed', answer.reason)
    case 'unusable':
      throw gitAppProblem('git_app.unusable', answer.reason)
    case 'failed': {
      const { reason, retryAfterMs } = answer.failure
      const headers = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }
      throw gitAppProblem('git_app.provider_failed', reason, { headers })
    }
  }
}
