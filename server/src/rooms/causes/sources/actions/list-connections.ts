import type { Connection } from '@signalbox/contracts/sources'
import { type Caller, toWire } from '#platform/http'
import type { Means } from '../means.ts'
import { judgeConnection, type StoredConnection } from '../rules/index.ts'
import * as store from '../store/connections.ts'
import { getVisible } from './find-source.ts'

/** The connections as stored: no provider is asked. */
export async function listConnections(means: Means, caller: Caller, sourceId: string): Promise<readonly Connection[]> {
  const source = await getVisible(means, caller, sourceId)
  const title = means.forges.find(source.provider)?.title ?? source.provider
  const connections = await store.listConnections(means.database.kysely, source.id)
  return Promise.all(connections.map((connection) => presentConnection(means, connection, title)))
}

/** To wire. */
export async function presentConnection(
  means: Means,
  connection: StoredConnection,
  provider: string,
): Promise<Connection> {
  const provedAt = connection.firstDeliveryAt ?? (await store.findProof(means.database.kysely, connection))
  const { fault: _fault, secret: _secret, ...shown } = connection
  return {
    ...toWire({ ...shown, firstDeliveryAt: provedAt }),
    ...judgeConnection(connection, provedAt, provider),
    hook_id: connection.differences.includes('missing') ? null : connection.hookId,
  }
}
