import type { Queryable } from '#platform/database'
import { systemCaller } from '#platform/http'
import { Problem } from '#platform/problems'
import type { Means } from '../means.ts'
import type { Source, StoredConnection } from '../rules/index.ts'
import * as store from '../store/connections.ts'
import { findSource } from '../store/sources.ts'
import { hasSecret, placeWebhook, readSecret } from './connect-repository.ts'

/** Webhooks get a new secret, and webhooks that a delivery has proved are noted. */
export const KEEP_CONNECTIONS_JOB = 'sources.keep-connections'

/** The limit lets the job come round at once. */
export async function queueKeeping(means: Means, db: Queryable): Promise<void> {
  await means.jobs.add(db, KEEP_CONNECTIONS_JOB, {}, { key: KEEP_CONNECTIONS_JOB })
}

/** A second call does the remaining work. A connection that fails does not keep the others from it. */
export async function keepConnections(means: Means, signal: AbortSignal): Promise<void> {
  const db = means.database.kysely
  for (const sourceId of await store.listConnectedSources(db)) {
    const source = await findSource(db, sourceId)
    if (!source?.enabled) continue
    for (const connection of await store.listConnections(db, sourceId)) {
      if (signal.aborted) return
      const proof = connection.firstDeliveryAt ?? (await store.findProof(db, connection))
      if (connection.firstDeliveryAt === null && proof !== null) await store.noteProof(db, connection, proof)
      await followSecret(means, source, connection, signal)
    }
  }
}

/** The source's proof is never lost meanwhile: of a stored secret, the version before is live as well. */
async function followSecret(
  means: Means,
  source: Source,
  connection: StoredConnection,
  signal: AbortSignal,
): Promise<void> {
  try {
    const secret = await readSecret(means, source)
    if (secret.version === null || hasSecret(connection, secret)) return
    if (source.checkoutCredentialRef === null) {
      const fault =
        'The secret of the source has a new version, and the source has no checkout_credential_ref to enter it with. ' +
        'Connect again with a token.'
      await store.noteFault(means.database.kysely, connection, fault)
      return
    }
    const origin = { caller: systemCaller('connections'), address: 'local', requestId: means.ids.next() }
    await placeWebhook(means, origin, source, { repository: connection.repository, token: undefined, signal })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { sourceId, repository } = connection
    means.log.warn({ source: sourceId, repository, reason: error.message }, 'a webhook does not learn of a new secret')
    // The next round repeats a failure that may pass.
    if (error.status === 400) {
      await store.noteFault(means.database.kysely, connection, `The new secret was not taken: ${error.message}`)
    }
  }
}
