import type { GitAppError, GitAppParams, GitAppProvider } from '@signalbox/contracts/git-apps'
import type { ForgeApps, RegisteredApp } from '#adapters/forges'
import { isUnavailable, type Tx, uniqueViolation } from '#platform/database'
import { Problem } from '#platform/problems'
import type { Means } from '../means.ts'
import { placeOfError, placeOfOutcome } from '../rules/callback.ts'
import { type Registration, readRegistration } from '../rules/registration.ts'
import { type AppRow, findApp, insertApp, updateApp } from '../store/apps.ts'
import { loadApp, readProvider } from './find-app.ts'
import { makeSource } from './make-source.ts'
import { presentApp } from './present-app.ts'
import { storeKey } from './store-keys.ts'
import { type ReturnedBrowser, type TakenFlow, takeFlow } from './take-flow.ts'

export interface RegistrationReturn {
  readonly provider: GitAppParams['provider']
  readonly query: URLSearchParams
  readonly browser: ReturnedBrowser
}

/** The address to go on to. Never throws: a browser stands here, which shows no problem. */
export async function completeRegistration(means: Means, back: RegistrationReturn): Promise<string> {
  const provider = readProvider(means, back.provider)
  let error: GitAppError | undefined
  try {
    error = await goOn(means, provider, back)
  } catch (cause) {
    means.log.error({ err: cause, provider }, 'the registration of an app failed')
    error = 'unavailable'
  }
  means.gitAppMetrics.returned(provider, 'register', error ?? 'registered')
  return `${means.pages}/${error === undefined ? placeOfOutcome('registered', provider) : placeOfError(error)}`
}

async function goOn(
  means: Means,
  provider: GitAppProvider,
  back: RegistrationReturn,
): Promise<GitAppError | undefined> {
  if (!means.rate.take(back.browser.address).ok) return 'unavailable'
  const state = back.query.get('state') ?? ''
  const taken = await takeFlow(means, { flow: 'register', provider, state, browser: back.browser })
  if (typeof taken === 'string') return taken
  const code = back.query.get('code') ?? ''
  if (code === '') return 'denied'
  if (await findApp(means.database.kysely, provider)) return 'already_registered'
  const asked = readRegistration(taken.row.document)
  const apps = means.forges.find(provider)?.apps
  if (!asked || !apps?.registration) return 'unavailable'
  const registered = await exchange(means, apps.registration, asked, code)
  if (typeof registered === 'string') return registered
  const fault = apps.findKeyFault(registered.privateKey)
  if (fault !== null) {
    means.log.error({ provider, reason: fault }, 'the key of a new app cannot be used')
    return 'exchange_failed'
  }
  return keep(means, provider, { taken, asked, registered })
}

/** All calls; a browser waits. */
const EXCHANGE_MS = 20_000

async function exchange(
  means: Means,
  registration: NonNullable<ForgeApps['registration']>,
  { baseUrl }: Registration,
  code: string,
): Promise<RegisteredApp | GitAppError> {
  means.failPoints.hit('git_apps.before_exchange')
  const limit = new AbortController()
  const timer = means.clock.after(EXCHANGE_MS, () => limit.abort())
  try {
    const answer = await registration.exchange({ baseUrl, signal: limit.signal }, code)
    means.failPoints.hit('git_apps.after_exchange')
    if (answer.outcome === 'found') return answer.value
    if (answer.outcome === 'not_found') return 'exchange_failed'
    means.log.warn({ reason: answer.reason }, 'a provider gave no app for a code')
    return answer.retry ? 'provider_unreachable' : 'exchange_failed'
  } finally {
    timer.cancel()
  }
}

interface Registered {
  readonly taken: TakenFlow
  readonly asked: Registration
  readonly registered: RegisteredApp
}

/** The provider gives the key once: while the database is away for a moment, it is kept here. */
const STORE_ATTEMPTS = 10
const STORE_PAUSE_MS = 1000

async function keep(means: Means, provider: GitAppProvider, made: Registered): Promise<GitAppError | undefined> {
  let withSource = true
  for (let attempt = 1; ; attempt += 1) {
    try {
      await means.database.transaction((tx) => store(means, tx, { ...made, provider, withSource }))
      means.failPoints.hit('git_apps.after_commit')
      return undefined
    } catch (error) {
      if (uniqueViolation(error) === 'git_apps_pkey') return 'already_registered'
      if (error instanceof Problem && withSource) {
        // Without its source the app is worth keeping all the same. The doctor says what to do.
        means.log.warn({ err: error, provider }, 'the source of a new app was not made')
        withSource = false
        continue
      }
      if (attempt >= STORE_ATTEMPTS || !isUnavailable(error)) throw error
      await means.clock.sleep(STORE_PAUSE_MS)
    }
  }
}

interface Storing extends Registered {
  readonly provider: GitAppProvider
  readonly withSource: boolean
}

async function store(means: Means, tx: Tx, storing: Storing): Promise<void> {
  const { provider, taken, asked, registered, withSource } = storing
  const { origin } = taken
  const now = means.clock.now()
  const row: AppRow = {
    provider,
    baseUrl: asked.baseUrl,
    appId: registered.appId,
    slug: registered.slug,
    name: registered.name,
    htmlUrl: registered.htmlUrl,
    account: registered.account,
    permissions: registered.permissions,
    events: registered.events,
    credentialRef: null,
    teamPath: asked.teamPath ?? (await means.teams.findOldestRoot(tx))?.path ?? null,
    sourceId: null,
    publicUrl: asked.publicUrl,
    createdAt: now,
    updatedAt: now,
  }
  await insertApp(tx, row)
  await storeKey(means, tx, { provider, kind: 'private_key', value: registered.privateKey }, true)
  if (registered.webhookSecret !== null) {
    await storeKey(means, tx, { provider, kind: 'webhook_secret', value: registered.webhookSecret }, true)
    const sourceId = taken.row.sourceId
    if (withSource && row.teamPath !== null && sourceId !== null) {
      await makeSource(means, tx, origin, { ...row, sourceId })
      await updateApp(tx, { ...row, sourceId })
    }
  }
  const stored = await loadApp(tx, provider)
  await means.audit.record(tx, {
    origin,
    action: 'git_app.registered',
    resource: { kind: 'git_app', id: provider },
    teamPath: '/',
    after: stored && presentApp(stored),
  })
  means.failPoints.hit('git_apps.before_commit')
}
