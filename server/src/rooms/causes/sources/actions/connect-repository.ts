import type { ConnectionResult } from '@signalbox/contracts/sources'
import type { PlacedHook, WantedHook } from '#adapters/forges'
import type { RequestOrigin } from '#platform/http'
import { requirePermission } from '#platform/http'
import type { CredentialRead } from '#rooms/foundation/secrets'
import { sourceProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { isPayloadUrlOf, type Source, type StoredConnection } from '../rules/index.ts'
import * as store from '../store/connections.ts'
import { getVisible } from './find-source.ts'
import { presentConnection } from './list-connections.ts'
import { notConnectable, providerProblem, type ReachedProvider, reachProvider } from './reach-provider.ts'

/**
 * Longer than all calls. A killed process keeps others waiting so long; the next request finds the webhook that it made by the
 * address, which holds the source's id.
 */
const RESERVED_MS = 30_000

export interface ConnectionWanted {
  readonly sourceId: string
  readonly repository: string
  /** For this one call; undefined: the credential of the source. The token is never stored. */
  readonly token: string | undefined
  readonly signal: AbortSignal
}

/** Creates the webhook at the provider, or repairs the existing one. */
export async function connectRepository(
  means: Means,
  origin: RequestOrigin,
  wanted: ConnectionWanted,
): Promise<ConnectionResult> {
  const source = await getVisible(means, origin.caller, wanted.sourceId)
  requirePermission(origin.caller, 'webhook_source.write', source.teamPath)
  return placeWebhook(means, origin, source, wanted)
}

/** Places the webhook for a caller that needs no permission. */
export async function placeWebhook(
  means: Means,
  origin: RequestOrigin,
  source: Source,
  { repository, token, signal }: Omit<ConnectionWanted, 'sourceId'>,
): Promise<ConnectionResult> {
  const provider = await reachProvider(means, { source, repository, token, known: false })
  const secret = await readSecret(means, source)
  const place = { sourceId: source.id, repository }
  const startedAt = means.clock.now()
  const reservedUntil = new Date(startedAt.getTime() + RESERVED_MS)
  const before = await reserve(means, place, startedAt, reservedUntil)
  try {
    const wanted = wantedHook(source, provider, secret, { repository, before })
    const answer = await provider.call(signal, (hooks, connection) => hooks.place(connection, wanted))
    if (answer.outcome !== 'found') throw providerProblem(answer, provider, repository)
    const placed = answer.value
    const connection = describe(place, placed, secret, { before, startedAt })
    await means.database.transaction(async (tx) => {
      if (!(await store.storeConnection(tx, connection, reservedUntil))) throw busy(repository)
      if (placed.done === 'unchanged') return
      await means.audit.record(tx, {
        origin,
        action: 'webhook_source.connected',
        resource: { kind: 'webhook_source', id: source.id },
        teamPath: source.teamPath,
        after: { repository, hook_id: placed.hookId, done: placed.done, repaired: placed.differences },
      })
    })
    if (connection.firstDeliveryAt === null) await askForDelivery(means, provider, connection, signal)
    const shown = await presentConnection(means, connection, provider.forge.title)
    return { ...shown, done: placed.done, repaired: [...placed.differences] }
  } catch (error) {
    await store.releaseConnection(means.database.kysely, place, reservedUntil)
    throw error
  }
}

export interface CurrentSecret {
  readonly value: string
  /** Null: a variable, which has no versions. */
  readonly version: StoredConnection['secret']
}

/** The newest value: during a rotation the older one is on its way out. */
export async function readSecret(means: Means, source: Source): Promise<CurrentSecret> {
  const read: CredentialRead = await means.secrets.read(means.database.kysely, source.credentialRef, source.teamPath)
  if ('unusable' in read) {
    throw notConnectable([{ field: 'credential_ref', message: `cannot be used: ${read.unusable}` }])
  }
  const [value = ''] = read.values
  const [version] = read.versions
  const known = read.secretId !== undefined && version !== undefined
  return { value, version: known ? { id: read.secretId, version } : null }
}

export function wantedHook(
  source: Source,
  { payloadUrl }: ReachedProvider,
  secret: CurrentSecret,
  { repository, before }: { readonly repository: string; readonly before: StoredConnection | null },
): WantedHook {
  return {
    repository,
    url: payloadUrl,
    isOwn: (url) => isPayloadUrlOf(source.id, url),
    authMode: source.authMode,
    secret: secret.value,
    holder: before !== null && hasSecret(before, secret) ? before.hookId : null,
  }
}

/** Never known of a variable, which may have another value at each start. */
export function hasSecret({ secret: held }: StoredConnection, { version }: CurrentSecret): boolean {
  return held !== null && version !== null && held.id === version.id && held.version === version.version
}

async function reserve(
  means: Means,
  place: store.ConnectionPlace,
  now: Date,
  reservedUntil: Date,
): Promise<StoredConnection | null> {
  const known = await means.database.transaction((tx) => store.reserveConnection(tx, place, now, reservedUntil))
  if (known === undefined) throw busy(place.repository)
  return known
}

function busy(repository: string) {
  const detail = `Another request is connecting ${repository} at this moment; ask again in a few seconds.`
  return sourceProblem('source.connection_busy', detail, { headers: { 'retry-after': '5' } })
}

function describe(
  { sourceId, repository }: store.ConnectionPlace,
  { hookId, done }: PlacedHook,
  { version: secret }: CurrentSecret,
  { before, startedAt }: { readonly before: StoredConnection | null; readonly startedAt: Date },
): StoredConnection {
  const same = done === 'unchanged' ? before : null
  return {
    sourceId,
    repository,
    hookId,
    // From before the calls: the provider may send a ping before it answers.
    connectedAt: same?.connectedAt ?? startedAt,
    checkedAt: startedAt,
    differences: [],
    fault: null,
    firstDeliveryAt: same?.firstDeliveryAt ?? null,
    secret,
  }
}

/** Asks for a test delivery. A provider that cannot send one now sends the next event. */
async function askForDelivery(
  means: Means,
  { call, payloadUrl: url, hooks: { test } }: ReachedProvider,
  { sourceId, repository, hookId }: StoredConnection,
  signal: AbortSignal,
): Promise<void> {
  if (test === null) return
  const answer = await call(signal, (_hooks, connection) => test(connection, { repository, url }, hookId))
  if (answer.outcome === 'failed') {
    means.log.debug({ source: sourceId, repository, reason: answer.reason }, 'the provider sent no test delivery')
  }
}
