import type { ForgeApps, RegisteredApp } from '#adapters/forges'
import { isUnavailable } from '#platform/database'
import type { Means } from '../means.ts'
import { exchangeContext, writeExchanged } from '../rules/exchange.ts'
import { type Registration, readRegistration } from '../rules/registration.ts'
import { findApp } from '../store/apps.ts'
import { type FlowEnd, type FlowRow, keepAnswer } from '../store/flows.ts'
import { FINISH_JOB } from './finish-registration.ts'

export type ExchangeFailure = Exclude<FlowEnd, 'registered'>

/**
 * Exchanges the code for the app, and stores the answer, sealed, with the registration: nothing but that insert stands
 * between the answer and the database. Undefined: it is stored, and a job finishes the registration whatever happens here.
 */
export async function exchangeCode(means: Means, flow: FlowRow, code: string): Promise<ExchangeFailure | undefined> {
  const { provider } = flow
  if (code === '') return 'denied'
  if (await findApp(means.database.kysely, provider)) return 'already_registered'
  const asked = readRegistration(flow.document)
  const apps = means.forges.find(provider)?.apps
  if (!asked || !apps?.registration) return 'unavailable'
  const registered = await exchange(means, apps.registration, asked, code)
  if (typeof registered === 'string') return registered
  const fault = apps.findKeyFault(registered.privateKey)
  if (fault !== null) {
    means.log.error({ provider, reason: fault }, 'the key of a new app cannot be used')
    return 'exchange_failed'
  }
  await keep(means, flow, registered)
  return undefined
}

/** All calls; a browser waits. */
const EXCHANGE_MS = 20_000

async function exchange(
  means: Means,
  registration: NonNullable<ForgeApps['registration']>,
  { baseUrl }: Registration,
  code: string,
): Promise<RegisteredApp | ExchangeFailure> {
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

/** The provider gives the key once: while the database is away for a moment, it is kept here. */
const STORE_ATTEMPTS = 10
const STORE_PAUSE_MS = 1000
/** The way back finishes it itself in a fraction of that. */
const FINISH_AFTER_MS = 10_000

async function keep(means: Means, { stateSha256 }: FlowRow, registered: RegisteredApp): Promise<void> {
  const { appId, slug, name, htmlUrl, account, privateKey, webhookSecret } = registered
  const [permissions, events] = [{ ...registered.permissions }, [...registered.events]]
  const told = { appId, slug, name, htmlUrl, account, permissions, events }
  const text = writeExchanged({ ...told, privateKey, webhookSecret })
  const { sealer } = means
  const exchanged = sealer.seal(text, exchangeContext(stateSha256))
  const runAt = new Date(means.clock.now().getTime() + FINISH_AFTER_MS)
  const state = stateSha256.toString('hex')
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await means.database.transaction(async (tx) => {
        await keepAnswer(tx, { stateSha256, exchanged, keyVersion: sealer.keyVersion })
        await means.jobs.add(tx, FINISH_JOB, { state }, { key: `git-app-registration:${state}`, runAt })
      })
    } catch (error) {
      if (attempt >= STORE_ATTEMPTS || !isUnavailable(error)) throw error
      await means.clock.sleep(STORE_PAUSE_MS)
    }
  }
}
