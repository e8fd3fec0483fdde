import type { GitAppParams } from '@signalbox/contracts/git-apps'
import { sha256 } from '#platform/crypto'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { formPolicy, renderForm } from '../rules/form-page.ts'
import { buildManifest } from '../rules/manifest.ts'
import { findFlowFault, readRegistration } from '../rules/registration.ts'
import { findFlow } from '../store/flows.ts'
import { readProvider } from './find-app.ts'

export interface FormPage {
  readonly html: string
  readonly policy: string
}

/** The page for a registration that was begun. Throws 404 for every other state; showing it spends nothing. */
export async function showForm(
  means: Means,
  { provider: name, state }: { readonly provider: GitAppParams['provider']; readonly state: string },
): Promise<FormPage> {
  const provider = readProvider(means, name)
  const flow = await findFlow(means.database.kysely, sha256(state))
  const fault = findFlowFault(flow, { flow: 'register', provider, now: means.clock.now() })
  const asked = fault === undefined ? readRegistration(flow?.document) : undefined
  const forge = means.forges.find(provider)
  const registration = forge?.apps?.registration
  if (!flow?.sourceId || !asked || !registration) {
    throw platformProblem('not_found', 'This registration has ended, or was never begun: begin it again.')
  }
  const action = registration.formUrl(asked.baseUrl, asked.organization, state)
  const manifest = buildManifest({ ...asked, provider: name, sourceId: flow.sourceId })
  return { html: renderForm({ action, manifest, title: forge.title }), policy: formPolicy(action) }
}
