import type { GitAppError, GitAppOutcome, GitAppProvider } from '@signalbox/contracts/git-apps'
import type { Means } from '../means.ts'
import { placeOfError, placeOfOutcome } from '../rules/callback.ts'
import { isInstallationId } from '../rules/installation-id.ts'
import { standingOf } from '../rules/standing.ts'
import { type AppRow, findApp } from '../store/apps.ts'
import { findInstallation } from '../store/installations.ts'
import type { RegistrationReturn } from './complete-registration.ts'
import { connectApp } from './connect-app.ts'
import { readProvider } from './find-app.ts'
import { queueRefresh } from './queue-refresh.ts'
import { type TakenFlow, takeFlow } from './take-flow.ts'
import { recordInstallation } from './write-installation.ts'

type Done = { readonly outcome: GitAppOutcome } | { readonly error: GitAppError }

/** The address to go on to. Never throws: a browser stands here, which shows no problem. */
export async function completeInstallation(means: Means, back: RegistrationReturn): Promise<string> {
  const provider = readProvider(means, back.provider)
  let done: Done
  try {
    done = await goOn(means, provider, back)
  } catch (cause) {
    means.log.error({ err: cause, provider }, 'the installation of an app failed')
    done = { error: 'unavailable' }
  }
  means.gitAppMetrics.returned(provider, 'install', 'error' in done ? done.error : done.outcome)
  const place = 'error' in done ? placeOfError(done.error) : placeOfOutcome(done.outcome, provider)
  return `${means.pages}/${place}`
}

async function goOn(means: Means, provider: GitAppProvider, back: RegistrationReturn): Promise<Done> {
  const { query, browser } = back
  if (!means.rate.take(browser.address).ok) return { error: 'unavailable' }
  const state = query.get('state')
  const installationId = query.get('installation_id') ?? ''
  const action = query.get('setup_action')
  if (state === null) return goOnWithoutState(means, provider, { installationId, action })
  const isRequest = action === 'request' && installationId === ''
  // The id comes with the browser: nothing is spent for one that cannot be an id.
  if (!isRequest && !isInstallationId(provider, installationId)) return { error: 'installation_unknown' }
  const app = await findApp(means.database.kysely, provider)
  if (!app) return { error: 'not_registered' }
  const taken = await takeFlow(means, { flow: 'install', provider, state, browser })
  if (typeof taken === 'string') return { error: taken }
  if (isRequest) return { error: 'pending_approval' }
  return prove(means, app, { installationId, taken, isUpdate: action === 'update' })
}

/** Begun at the provider's own page. Nothing is recorded; what is known already is asked for again. */
async function goOnWithoutState(
  means: Means,
  provider: GitAppProvider,
  { installationId, action }: { readonly installationId: string; readonly action: string | null },
): Promise<Done> {
  if (action === 'request' && installationId === '') return { error: 'pending_approval' }
  if (action !== 'update' || !isInstallationId(provider, installationId)) return { error: 'state_mismatch' }
  const name = { provider, installationId }
  if (!(await findInstallation(means.database.kysely, name))) return { error: 'state_mismatch' }
  await queueRefresh(means, means.database.kysely, name)
  return { outcome: 'updated' }
}

interface Proving {
  readonly installationId: string
  readonly taken: TakenFlow
  readonly isUpdate: boolean
}

/** All calls; a browser waits. */
const ASK_MS = 20_000

/** The id that the browser brought counts once the provider has shown it to the app. */
async function prove(means: Means, app: AppRow, { installationId, taken, isUpdate }: Proving): Promise<Done> {
  const connected = await connectApp(means, means.database.kysely, app)
  if ('unusable' in connected) {
    means.log.error({ provider: app.provider, reason: connected.unusable }, 'an installation cannot be proved')
    return { error: 'exchange_failed' }
  }
  const limit = new AbortController()
  const timer = means.clock.after(ASK_MS, () => limit.abort())
  try {
    const found = await connected.apps.findInstallation(connected.connection(limit.signal), installationId)
    if (found.outcome === 'not_found') return { error: 'installation_unknown' }
    if (found.outcome === 'failed') {
      means.log.warn({ provider: app.provider, reason: found.reason }, 'an installation was not proved')
      return { error: found.retry ? 'provider_unreachable' : 'exchange_failed' }
    }
    const standing = standingOf(found.value, connected.apps.features, app.permissions)
    const { row } = await recordInstallation(means, taken.origin, { app, installationId, found: found.value, standing })
    if (row.deletedAt) return { error: 'installation_unknown' }
    return { outcome: isUpdate ? 'updated' : 'installed' }
  } finally {
    timer.cancel()
  }
}
