import type { GitAppDocument, GitAppParams, GitAppProvider } from '@signalbox/contracts/git-apps'
import type { Forge } from '#adapters/forges'
import { addressOfApi, readBaseUrl } from '#platform/config'
import type { Tx } from '#platform/database'
import { checkIfMatch, etagOf, laterThan, type RequestOrigin, requirePermission } from '#platform/http'
import { describeFaults, type FieldError, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { type AppRow, deleteApp, findApp, insertApp, lockApp, updateApp } from '../store/apps.ts'
import { type FoundApp, loadApp, readProvider } from './find-app.ts'
import { makeSource } from './make-source.ts'
import { NOTE_JOB } from './note-app.ts'
import { presentApp } from './present-app.ts'
import { storeKey } from './store-keys.ts'

/**
 * Stores the settings of an app, also of one that was made by hand at the provider. Keys that are left out stay. Throws
 * 400 with the fields at fault.
 */
export async function replaceApp(
  means: Means,
  origin: RequestOrigin,
  { provider: name, body }: { readonly provider: GitAppParams['provider']; readonly body: GitAppDocument },
): Promise<FoundApp> {
  requirePermission(origin.caller, 'git_app.write', '/')
  const provider = readProvider(means, name)
  return means.database.transaction(
    async (tx) => {
      const before = await lockOrMake(means, tx, provider, body)
      if (before.found) checkIfMatch(origin.ifMatch, etagOf(before.row.updatedAt))
      const row = await readSettings(means, tx, before.row, body)
      const shown = before.found && presentApp(before.found)
      await updateApp(tx, row)
      await storeKeys(means, tx, provider, body)
      const sourced = await giveSource(means, tx, origin, row)
      if (sourced) await updateApp(tx, sourced)
      // The provider tells its name, page and rights, once somebody has time to ask.
      await means.jobs.add(tx, NOTE_JOB, { provider }, { key: `git-app:${provider}` })
      const after = await loadApp(tx, provider)
      if (!after) throw new Error('the settings of an app are gone within their transaction')
      await means.audit.record(tx, {
        origin,
        action: 'git_app.updated',
        resource: { kind: 'git_app', id: provider },
        teamPath: '/',
        before: shown,
        after: presentApp(after),
      })
      return after
    },
    { afterCommit: () => means.tokens.dropOf(provider) },
  )
}

interface LockedApp {
  readonly row: AppRow
  /** Undefined: the app is new. */
  readonly found: FoundApp | undefined
}

async function lockOrMake(
  means: Means,
  tx: Tx,
  provider: GitAppProvider,
  { app_id: appId = '' }: GitAppDocument,
): Promise<LockedApp> {
  const locked = await lockApp(tx, provider)
  if (locked) return { row: locked, found: await loadApp(tx, provider) }
  const now = means.clock.now()
  const row: AppRow = {
    provider,
    baseUrl: means.forges.find(provider)?.publicUrl ?? '',
    appId,
    slug: null,
    name: null,
    htmlUrl: null,
    account: null,
    permissions: {},
    events: [],
    credentialRef: null,
    teamPath: null,
    sourceId: null,
    publicUrl: null,
    createdAt: now,
    updatedAt: now,
  }
  return { row, found: undefined }
}

/** The row as it is to be. A new one is inserted, so that keys and source find it. */
async function readSettings(means: Means, tx: Tx, before: AppRow, body: GitAppDocument): Promise<AppRow> {
  const { provider } = before
  const forge = means.forges.find(provider)
  const faults: FieldError[] = []
  const appId = body.app_id?.trim() ?? ''
  if (appId === '') faults.push({ field: 'app_id', message: 'is missing' })
  const baseUrl = readBaseUrl(
    body.base_url === undefined ? before.baseUrl : (body.base_url ?? forge?.publicUrl ?? ''),
    means.config.providerHosts,
  )
  if ('fault' in baseUrl) faults.push({ field: 'base_url', message: baseUrl.fault })
  const teamPath = body.team_path === undefined ? before.teamPath : body.team_path
  faults.push(...(await findTeamFaults(means, tx, before, teamPath)))
  const credentialRef = body.credential_ref === undefined ? before.credentialRef : body.credential_ref
  faults.push(...(await findProofFaults(means, tx, { forge, body, credentialRef, teamPath })))
  if (faults.length > 0 || 'fault' in baseUrl) {
    throw platformProblem('invalid_request', describeFaults(faults), { errors: faults })
  }
  const isAnother = appId !== before.appId || baseUrl.url !== before.baseUrl
  const row: AppRow = {
    ...before,
    // What the provider told of another app is not true of this one.
    ...(isAnother ? { name: null, htmlUrl: null, account: null, permissions: {}, events: [] } : {}),
    appId,
    baseUrl: baseUrl.url,
    slug: body.slug === undefined ? (isAnother ? null : before.slug) : body.slug,
    credentialRef,
    teamPath,
    publicUrl: before.publicUrl ?? addressOfApi(means.config),
    updatedAt: laterThan(before.updatedAt, means.clock.now()),
  }
  if (!(await findApp(tx, provider))) await insertApp(tx, row)
  return row
}

async function findTeamFaults(
  means: Means,
  tx: Tx,
  before: AppRow,
  teamPath: string | null,
): Promise<readonly FieldError[]> {
  if (teamPath === before.teamPath) return []
  if (before.sourceId !== null) {
    return [{ field: 'team_path', message: 'stays while the app has a source: delete the source first' }]
  }
  if (teamPath === null || (await means.teams.findTeam(tx, teamPath))) return []
  return [{ field: 'team_path', message: `there is no team ${teamPath}` }]
}

interface Proof {
  readonly forge: Forge | undefined
  readonly body: GitAppDocument
  readonly credentialRef: string | null
  readonly teamPath: string | null
}

async function findProofFaults(
  means: Means,
  tx: Tx,
  { forge, body, credentialRef, teamPath }: Proof,
): Promise<readonly FieldError[]> {
  const faults: FieldError[] = []
  const takesKeys = forge?.apps?.registration !== null
  if (body.private_key !== undefined) {
    const fault = takesKeys ? forge?.apps?.findKeyFault(body.private_key) : 'is nothing that this provider knows'
    if (fault) faults.push({ field: 'private_key', message: fault })
  }
  if (credentialRef === null) {
    if (!takesKeys) faults.push({ field: 'credential_ref', message: 'is missing: it names the stored token' })
    return faults
  }
  if (takesKeys) return [...faults, { field: 'credential_ref', message: 'is for providers without apps' }]
  const fault = await means.secrets.check(tx, credentialRef, teamPath ?? '')
  return fault === undefined ? faults : [...faults, { field: 'credential_ref', message: fault }]
}

async function storeKeys(means: Means, tx: Tx, provider: GitAppProvider, body: GitAppDocument): Promise<void> {
  const { private_key: privateKey, webhook_secret: secret, keep_previous: keepPrevious = true } = body
  if (privateKey !== undefined) {
    await storeKey(means, tx, { provider, kind: 'private_key', value: privateKey }, keepPrevious)
  }
  if (secret !== undefined) {
    await storeKey(means, tx, { provider, kind: 'webhook_secret', value: secret }, keepPrevious)
  }
}

/** An app with a team and a webhook secret gets the source that takes its deliveries; undefined: it stays as it is. */
async function giveSource(means: Means, tx: Tx, origin: RequestOrigin, row: AppRow): Promise<AppRow | undefined> {
  if (row.sourceId !== null || row.teamPath === null) return undefined
  const stored = await loadApp(tx, row.provider)
  if (!stored?.keys.some(({ kind }) => kind === 'webhook_secret')) return undefined
  return { ...row, sourceId: await makeSource(means, tx, origin, row) }
}

/** Forgets the app with its keys and installations; it stays at the provider. Throws 404. */
export async function removeApp(means: Means, origin: RequestOrigin, name: GitAppParams['provider']): Promise<void> {
  requirePermission(origin.caller, 'git_app.write', '/')
  const provider = readProvider(means, name)
  await means.database.transaction(
    async (tx) => {
      await lockApp(tx, provider)
      const before = await loadApp(tx, provider)
      if (!before) throw platformProblem('not_found', `No app of ${provider} is registered.`)
      await deleteApp(tx, provider)
      await means.audit.record(tx, {
        origin,
        action: 'git_app.deleted',
        resource: { kind: 'git_app', id: provider },
        teamPath: '/',
        before: presentApp(before),
      })
    },
    { afterCommit: () => means.tokens.dropOf(provider) },
  )
}
