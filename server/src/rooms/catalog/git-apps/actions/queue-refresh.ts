import { GIT_APP_PROVIDERS, type GitAppProvider } from '@signalbox/contracts/git-apps'
import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import type { InstallationName } from '../store/installations.ts'
import { listLivingIds } from '../store/installations.ts'
import { refreshInstallation } from './refresh-installation.ts'

export const REFRESH_JOB = 'git_apps.refresh-installation'

/** A provider that wants to be left alone is, and no longer than that. */
const MAX_PAUSE_MS = 3_600_000
const PAUSE_MS = 60_000

export interface WantedRefresh extends InstallationName {
  /** Whether an installation that nobody knew is one to know. */
  readonly mayBeNew?: boolean
}

/** One job for each installation, however often it is asked for. */
export async function queueRefresh(means: Means, db: Queryable, wanted: WantedRefresh, runAt?: Date): Promise<void> {
  const { provider, installationId, mayBeNew = false } = wanted
  // What may make a record is not replaced by what may not.
  const key = `git-installation:${provider}:${installationId}${mayBeNew ? ':new' : ''}`
  const payload = { provider, installationId, mayBeNew }
  await means.jobs.add(db, REFRESH_JOB, payload, { key, ...(runAt ? { runAt } : {}) })
}

export async function queueAllRefreshes(means: Means): Promise<void> {
  const db = means.database.kysely
  for (const name of await listLivingIds(db)) await queueRefresh(means, db, name)
}

/** The job. A failure that may pass throws, so that it is tried again; a limited rate is waited for. */
export async function runRefresh(means: Means, payload: unknown, signal: AbortSignal): Promise<void> {
  const wanted = readWanted(payload)
  if (!wanted) return
  const { mayBeNew = false, ...name } = wanted
  const answer = await refreshInstallation(means, name, { signal, mayBeNew })
  const fields = { provider: wanted.provider, installation: wanted.installationId }
  switch (answer.outcome) {
    case 'refreshed':
    case 'absent':
      return
    case 'refused':
    case 'unusable':
      means.log.warn({ ...fields, reason: answer.reason }, 'an installation of an app cannot be used')
      return
    case 'failed': {
      const { reason, retry, cause, retryAfterMs } = answer.failure
      if (!retry) {
        means.log.warn({ ...fields, reason }, 'an installation of an app could not be read')
        return
      }
      if (cause !== 'limited') throw new Error(reason)
      const pause = Math.min(retryAfterMs ?? PAUSE_MS, MAX_PAUSE_MS)
      await queueRefresh(means, means.database.kysely, wanted, new Date(means.clock.now().getTime() + pause))
    }
  }
}

function readWanted(payload: unknown): WantedRefresh | undefined {
  if (typeof payload !== 'object' || payload === null || !('provider' in payload && 'installationId' in payload)) {
    return undefined
  }
  const { provider, installationId } = payload
  const known: GitAppProvider | undefined = GIT_APP_PROVIDERS.find((one) => one === provider)
  if (!known || typeof installationId !== 'string') return undefined
  return { provider: known, installationId, mayBeNew: 'mayBeNew' in payload && payload.mayBeNew === true }
}
