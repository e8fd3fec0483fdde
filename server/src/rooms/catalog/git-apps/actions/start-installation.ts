import type { GitAppParams, StartedInstallation } from '@signalbox/contracts/git-apps'
import { type RequestOrigin, requirePermission } from '#platform/http'
import { toWireTime } from '#platform/time'
import { gitAppProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { readProvider, requireApp } from './find-app.ts'
import { askApp } from './note-app.ts'
import { beginFlow } from './start-registration.ts'

/** Throws git_app.not_registered (412) without an app that has a page to install it from. */
export async function startInstallation(
  means: Means,
  origin: RequestOrigin,
  { provider: name, signal }: { readonly provider: GitAppParams['provider']; readonly signal: AbortSignal },
): Promise<StartedInstallation> {
  requirePermission(origin.caller, 'git_app.write', '/')
  const provider = readProvider(means, name)
  const app = await requireApp(means.database.kysely, provider)
  const registration = means.forges.find(provider)?.apps?.registration
  // Settings that a person wrote know no page: the provider tells it.
  const htmlUrl = app.htmlUrl ?? (registration ? await findPage(means, provider, signal) : null)
  if (!registration || htmlUrl === null) {
    const detail = 'Nobody told the page that installs this app: POST the id of the installation instead.'
    throw gitAppProblem('git_app.not_registered', detail)
  }
  const begun = await beginFlow(means, origin, { flow: 'install', provider, document: {}, sourceId: null })
  return {
    url: registration.installUrl(htmlUrl, begun.state),
    state: begun.state,
    expires_at: toWireTime(begun.expiresAt),
  }
}

async function findPage(
  means: Means,
  provider: Parameters<typeof askApp>[1],
  signal: AbortSignal,
): Promise<string | null> {
  const answer = await askApp(means, provider, signal)
  return answer.outcome === 'found' ? answer.value.htmlUrl : null
}
