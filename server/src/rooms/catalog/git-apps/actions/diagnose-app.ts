import type { GitAppDiagnosis, GitAppParams } from '@signalbox/contracts/git-apps'
import type { FoundApp } from '#adapters/forges'
import { type Caller, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import { type DoctorStep, failed, judgeClock, skipped, well } from '../rules/diagnosis.ts'
import { type ConnectedApp, connectApp } from './connect-app.ts'
import { diagnoseInstallations } from './diagnose-installations.ts'
import { diagnoseDelivery, diagnoseWebhook } from './diagnose-webhook.ts'
import { loadApp, readProvider, requireApp } from './find-app.ts'
import { askApp } from './note-app.ts'

/** Looks for what is wrong, step by step. Throws git_app.not_registered (412). */
export async function diagnoseApp(
  means: Means,
  caller: Caller,
  { provider: name, signal }: { readonly provider: GitAppParams['provider']; readonly signal: AbortSignal },
): Promise<GitAppDiagnosis> {
  requirePermission(caller, 'git_app.write', '/')
  const provider = readProvider(means, name)
  const db = means.database.kysely
  await requireApp(db, provider)
  const steps: DoctorStep[] = []
  const stored = await loadApp(db, provider)
  const connected = stored && (await connectApp(means, db, stored.row))
  if (!stored || !connected || 'unusable' in connected) {
    const why = connected && 'unusable' in connected ? connected.unusable : 'The app is gone.'
    const remedy = stored?.row.credentialRef ? REMEDY_TOKEN : REMEDY_KEY
    return diagnosis([failed('key', why, remedy), ...REST.map((step) => skipped(step))])
  }
  const keys = stored.keys.filter(({ kind }) => kind === 'private_key').length
  steps.push(well('key', keys === 0 ? 'The stored token opens.' : `${keys === 1 ? 'One key opens' : 'Two keys open'}.`))
  const asked = await askApp(means, provider, signal)
  if (asked.outcome === 'found') {
    steps.push(judgeClock(asked.value.skewMs), judgeApp(connected, asked.value))
  } else {
    const why = asked.outcome === 'failed' ? asked.reason : 'The provider knows no such app.'
    steps.push(skipped('clock'), failed('app', why, keys === 0 ? REMEDY_TOKEN : REMEDY_APP))
  }
  if (steps.some(({ result }) => result === 'failed'))
    return diagnosis([...steps, ...REST.slice(2).map((step) => skipped(step))])
  // The provider may have told other rights by now.
  const current = (await loadApp(db, provider)) ?? stored
  steps.push(...(await diagnoseInstallations(means, connected, signal)))
  steps.push(await diagnoseWebhook(means, connected, current, signal))
  steps.push(await diagnoseDelivery(connected, signal))
  return diagnosis(steps)
}

const REST = ['clock', 'app', 'installation', 'permissions', 'webhook', 'last_delivery'] as const

const REMEDY_KEY = 'Make a private key on the page of the app at the provider, and PUT it to the settings of the app.'
const REMEDY_TOKEN =
  'Make a token of the account at the provider, store it as the secret, and PUT its name as credential_ref to the settings.'
const REMEDY_APP =
  'Compare app_id and the fingerprints of the keys with the page of the app at the provider, and PUT what differs.'

function judgeApp({ app, forge }: ConnectedApp, found: FoundApp): DoctorStep {
  if (found.appId !== app.appId && app.credentialRef !== null) {
    const sentence = `The token is of the account ${found.appId}, and the settings name ${app.appId}.`
    return failed('app', sentence, 'PUT the login of the account as app_id, or the token of the other account.')
  }
  if (found.appId !== app.appId) {
    return failed('app', `The key belongs to the app ${found.appId}, and the settings name ${app.appId}.`, REMEDY_APP)
  }
  const whose = app.credentialRef === null ? 'app' : 'account'
  return well('app', `${forge.title} knows the ${whose}${found.name === null ? '' : ` ${found.name}`}.`)
}

/** What a provider does not have is skipped, and is no fault; what stands behind a failed step is not well. */
function diagnosis(steps: readonly DoctorStep[]): GitAppDiagnosis {
  return { ok: steps.every(({ result }) => result === 'ok' || result === 'skipped'), steps: [...steps] }
}
