import { randomBytes } from 'node:crypto'
import type {
  GitAppParams,
  GitAppProvider,
  GitAppRegistration,
  StartedRegistration,
} from '@signalbox/contracts/git-apps'
import type { Forge, ForgeApps } from '#adapters/forges'
import { addressOfApi, readBaseUrl } from '#platform/config'
import { sha256 } from '#platform/crypto'
import { ownerOf, type RequestOrigin, requirePermission } from '#platform/http'
import { describeFaults, type FieldError, platformProblem } from '#platform/problems'
import { toWireTime } from '#platform/time'
import { gitAppProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { readCallback } from '../rules/callback.ts'
import { buildManifest, MAX_NAME, permissionsOf } from '../rules/manifest.ts'
import { FLOW_MS, isOrganization, type Registration } from '../rules/registration.ts'
import { findApp } from '../store/apps.ts'
import { insertFlow } from '../store/flows.ts'
import { readProvider } from './find-app.ts'
import { findReachFault } from './judge-address.ts'

/** Throws 400 with the fields at fault, git_app.already_registered (412). */
export async function startRegistration(
  means: Means,
  origin: RequestOrigin,
  { provider: name, body }: { readonly provider: GitAppParams['provider']; readonly body: GitAppRegistration },
): Promise<StartedRegistration> {
  requirePermission(origin.caller, 'git_app.write', '/')
  const provider = readProvider(means, name)
  const forge = means.forges.find(provider)
  const registration = forge?.apps?.registration
  if (!forge?.apps || !registration) {
    const title = forge?.title ?? provider
    throw invalid([
      { field: 'provider', message: `${title} registers no apps: PUT base_url and credential_ref instead` },
    ])
  }
  const asked = await readAsked(means, { name, provider, forge, apps: forge.apps, body })
  if (await findApp(means.database.kysely, provider)) {
    throw gitAppProblem('git_app.already_registered', `An app of ${provider} is registered: DELETE it first.`)
  }
  const sourceId = means.ids.next()
  const begun = await beginFlow(means, origin, { flow: 'register', provider, document: asked, sourceId })
  return {
    url: registration.formUrl(asked.baseUrl, asked.organization, begun.state),
    state: begun.state,
    manifest: buildManifest({ ...asked, provider: name, sourceId }),
    form_url: `${asked.publicUrl}/v1/git-apps/${name}/register/form?state=${begun.state}`,
    expires_at: toWireTime(begun.expiresAt),
  }
}

interface Read {
  readonly name: GitAppParams['provider']
  readonly provider: GitAppProvider
  readonly forge: Forge
  readonly apps: ForgeApps
  readonly body: GitAppRegistration
}

async function readAsked(means: Means, { name, provider, forge, apps, body }: Read): Promise<Registration> {
  const faults: FieldError[] = []
  const organization = body.organization ?? body.organisation ?? ''
  if (organization === '') faults.push({ field: 'organization', message: 'is missing' })
  else if (!isOrganization(organization)) {
    faults.push({ field: 'organization', message: 'must be the name of an organization at the provider' })
  }
  const baseUrl = readBaseUrl(body.base_url ?? forge.publicUrl ?? '', means.config.providerHosts)
  if ('fault' in baseUrl) faults.push({ field: 'base_url', message: baseUrl.fault })
  const callback = readCallback({
    text: body.callback_url ?? addressOfApi(means.config),
    names: [...new Set([name, provider, ...(provider === means.config.forgeProvider ? ['forge'] : [])])],
    configured: means.config.baseUrl,
  })
  if ('fault' in callback) faults.push({ field: 'callback_url', message: callback.fault })
  else if ('url' in baseUrl) {
    const fault = await findReachFault(means, { publicUrl: callback.url, baseUrl: baseUrl.url })
    if (fault !== undefined) faults.push({ field: 'callback_url', message: fault })
  }
  if (body.team_path !== undefined && !(await means.teams.findTeam(means.database.kysely, body.team_path))) {
    faults.push({ field: 'team_path', message: `there is no team ${body.team_path}` })
  }
  if (faults.length > 0 || 'fault' in baseUrl || 'fault' in callback) throw invalid(faults)
  return {
    baseUrl: baseUrl.url,
    publicUrl: callback.url,
    organization,
    name: body.name ?? `Signalbox ${organization}`.slice(0, MAX_NAME),
    teamPath: body.team_path ?? null,
    permissions: body.permissions ?? permissionsOf(apps.features),
    events: body.events ?? [...apps.events],
  }
}

function invalid(errors: readonly FieldError[]): Error {
  return platformProblem('invalid_request', describeFaults(errors), { errors })
}

export interface NewFlow {
  readonly flow: 'register' | 'install'
  readonly provider: GitAppProvider
  readonly document: object
  readonly sourceId: string | null
}

export interface BegunFlow {
  readonly state: string
  readonly expiresAt: Date
}

/** The state has 256 bits, and only its digest is stored. Begun from a session, it counts for that browser alone. */
export async function beginFlow(
  means: Means,
  origin: RequestOrigin,
  { flow, provider, document, sourceId }: NewFlow,
): Promise<BegunFlow> {
  const { kind, id } = ownerOf(origin.caller)
  const state = randomBytes(32).toString('base64url')
  const createdAt = means.clock.now()
  const expiresAt = new Date(createdAt.getTime() + FLOW_MS)
  await means.database.transaction(async (tx) => {
    await insertFlow(tx, {
      stateSha256: sha256(state),
      flow,
      provider,
      starterKind: kind,
      starterId: id,
      sessionId: kind === 'user' ? (origin.caller.sessionId ?? null) : null,
      document,
      sourceId,
      createdAt,
      expiresAt,
      consumedAt: null,
    })
    await means.audit.record(tx, {
      origin,
      action: flow === 'register' ? 'git_app.registration_started' : 'git_app.installation_started',
      resource: { kind: 'git_app', id: provider },
      teamPath: '/',
      after: document,
    })
  })
  return { state, expiresAt }
}
