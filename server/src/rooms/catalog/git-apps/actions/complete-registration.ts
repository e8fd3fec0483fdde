import type { GitAppError, GitAppParams, GitAppProvider } from '@signalbox/contracts/git-apps'
import type { Means } from '../means.ts'
import { placeOfError, placeOfOutcome } from '../rules/callback.ts'
import { endFlow } from '../store/flows.ts'
import { exchangeCode } from './exchange-code.ts'
import { readProvider } from './find-app.ts'
import { finishRegistration } from './finish-registration.ts'
import { type ReturnedBrowser, takeFlow } from './take-flow.ts'

export interface RegistrationReturn {
  readonly provider: GitAppParams['provider']
  readonly query: URLSearchParams
  readonly browser: ReturnedBrowser
}

/** The address to go on to. Never throws: a browser stands here, which shows no problem. */
export async function completeRegistration(means: Means, back: RegistrationReturn): Promise<string> {
  const provider = readProvider(means, back.provider)
  let outcome: GitAppError | 'registered'
  try {
    outcome = await goOn(means, provider, back)
  } catch (cause) {
    means.log.error({ err: cause, provider }, 'the registration of an app failed')
    outcome = 'unavailable'
  }
  means.gitAppMetrics.returned(provider, 'register', outcome)
  return `${means.pages}/${outcome === 'registered' ? placeOfOutcome(outcome, provider) : placeOfError(outcome)}`
}

async function goOn(
  means: Means,
  provider: GitAppProvider,
  back: RegistrationReturn,
): Promise<GitAppError | 'registered'> {
  if (!means.rate.take(back.browser.address).ok) return 'unavailable'
  const state = back.query.get('state') ?? ''
  const taken = await takeFlow(means, { flow: 'register', provider, state, browser: back.browser })
  if (typeof taken === 'string') return taken
  const { stateSha256 } = taken.row
  const failure = await exchangeCode(means, taken.row, back.query.get('code') ?? '')
  if (failure !== undefined) {
    await endFlow(means.database.kysely, { stateSha256, outcome: failure, at: means.clock.now() })
    return failure
  }
  means.failPoints.hit('git_apps.after_answer')
  return (await finishRegistration(means, stateSha256, taken.origin)) ?? 'unavailable'
}
