import type { AppConnection, Forge, ForgeApps, ForgeFailure } from '#adapters/forges'
import { readBaseUrl } from '#platform/config'
import { sha256 } from '#platform/crypto'
import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import type { AppRow } from '../store/apps.ts'
import { openKeys } from './store-keys.ts'

/** An app as which its provider can be called. */
export interface ConnectedApp {
  readonly app: AppRow
  readonly forge: Forge
  readonly apps: ForgeApps
  /** Names what proves the app, without telling it. */
  readonly proof: string
  connection(signal: AbortSignal): AppConnection
}

/** A sentence that says why nobody can act as the app. */
export interface UnusableApp {
  readonly unusable: string
}

/**
 * Opens what proves the app. Nobody is called where the host of its address is not, or no longer, one of
 * `provider_hosts`.
 */
export async function connectApp(means: Means, db: Queryable, app: AppRow): Promise<ConnectedApp | UnusableApp> {
  const { provider, baseUrl, appId, credentialRef } = app
  const forge = means.forges.find(provider)
  if (!forge?.apps) return { unusable: `This version of the service knows no apps of ${provider}.` }
  const address = readBaseUrl(baseUrl, means.config.providerHosts)
  if ('fault' in address) return { unusable: `The app at ${provider} is not used: base_url ${address.fault}.` }
  const proved = credentialRef === null ? await proveByKeys(means, db, app) : await proveByToken(means, db, app)
  if ('unusable' in proved) return proved
  const { privateKeys, token, proof } = proved
  return {
    app,
    forge,
    apps: forge.apps,
    proof,
    connection: (signal) => ({
      baseUrl: address.url,
      app: { appId, privateKeys, token },
      now: means.clock.now().getTime(),
      signal,
    }),
  }
}

interface Proved {
  readonly privateKeys: readonly string[]
  readonly token: string | undefined
  readonly proof: string
}

async function proveByKeys(means: Means, db: Queryable, { provider }: AppRow): Promise<Proved | UnusableApp> {
  const keys = await openKeys(means, db, provider, 'private_key')
  if (keys.length === 0) {
    return {
      unusable: `The app at ${provider} has no private key that opens: make one at the provider, and PUT it to the settings of the app.`,
    }
  }
  return {
    privateKeys: keys.map(({ value }) => value),
    token: undefined,
    proof: keys.map(({ fingerprint }) => fingerprint).join(' '),
  }
}

async function proveByToken(
  means: Means,
  db: Queryable,
  { provider, credentialRef, teamPath }: AppRow,
): Promise<Proved | UnusableApp> {
  const read = await means.secrets.read(db, credentialRef ?? '', teamPath ?? '')
  const token = 'unusable' in read ? undefined : read.values[0]
  if ('unusable' in read || token === undefined) {
    const why = 'unusable' in read ? read.unusable : 'It is empty.'
    return { unusable: `The token of the connection to ${provider} cannot be used: ${why}` }
  }
  means.secrets.markUsed(read)
  return { privateKeys: [], token, proof: sha256(token).toString('hex') }
}

/** An unusable app as a failed call: nobody was asked. */
export function failedBy({ unusable }: UnusableApp): ForgeFailure {
  return { outcome: 'failed', reason: unusable, retry: false }
}
