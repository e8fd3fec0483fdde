import { CONNECTION_DIFFERENCES } from '@signalbox/contracts/sources'
import { type Selectable, sql } from 'kysely'
import type { HookDifference } from '#adapters/forges'
import { type DB, type Queryable, type Tx, toCamel, toSnake } from '#platform/database'
import { lowestIdOf } from '#platform/ids'
import type { StoredConnection } from '../rules/index.ts'

export interface ConnectionPlace {
  readonly sourceId: string
  readonly repository: string
}

/**
 * The connection's record, reserved for the caller from now on; null: the connection is new. Undefined: another request
 * has it.
 */
export async function reserveConnection(
  tx: Tx,
  place: ConnectionPlace,
  now: Date,
  reservedUntil: Date,
): Promise<StoredConnection | null | undefined> {
  await tx
    .insertInto('source_connections')
    .values({ ...keyOf(place), repository: place.repository, differences: [] })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom('source_connections')
    .selectAll()
    .where((is) => is.and(keyOf(place)))
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (row.held_until !== null && row.held_until > now) return undefined
  await tx
    .updateTable('source_connections')
    .set({ held_until: reservedUntil })
    .where((is) => is.and(keyOf(place)))
    .execute()
  return toConnection(row) ?? null
}

/** Ends the reservation and stores the new facts. False: its time was over, and another request may have it. */
export async function storeConnection(
  db: Queryable,
  connection: StoredConnection,
  reservedUntil: Date,
): Promise<boolean> {
  const { sourceId: _sourceId, secret, ...told } = connection
  const result = await db
    .updateTable('source_connections')
    .set({
      ...toSnake(told),
      secret_id: secret?.id ?? null,
      secret_version: secret?.version ?? null,
      held_until: null,
    })
    .where((is) => is.and(keyOf(connection)))
    .where('held_until', '=', reservedUntil)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Ends the reservation. A connection of which nothing is known is forgotten; another stays as it was. */
export async function releaseConnection(db: Queryable, place: ConnectionPlace, reservedUntil: Date): Promise<void> {
  await db
    .deleteFrom('source_connections')
    .where((is) => is.and(keyOf(place)))
    .where('held_until', '=', reservedUntil)
    .where('hook_id', 'is', null)
    .execute()
  await db
    .updateTable('source_connections')
    .set({ held_until: null })
    .where((is) => is.and(keyOf(place)))
    .where('held_until', '=', reservedUntil)
    .execute()
}

export async function deleteConnection(db: Queryable, place: ConnectionPlace): Promise<void> {
  await db
    .deleteFrom('source_connections')
    .where((is) => is.and(keyOf(place)))
    .execute()
}

export async function findConnection(db: Queryable, place: ConnectionPlace): Promise<StoredConnection | undefined> {
  const row = await db
    .selectFrom('source_connections')
    .selectAll()
    .where((is) => is.and(keyOf(place)))
    .executeTakeFirst()
  return row && toConnection(row)
}

/** Stores what the check found at the provider. False: it was connected anew or disconnected meanwhile. */
export async function noteCheck(db: Queryable, connection: StoredConnection): Promise<boolean> {
  const { hookId, checkedAt, differences, fault } = connection
  const result = await db
    .updateTable('source_connections')
    .set(toSnake({ hookId, checkedAt, differences, fault }))
    .where((is) => is.and(keyOf(connection)))
    .where('connected_at', '=', connection.connectedAt)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Unless it was connected anew meanwhile. */
export async function noteFault(db: Queryable, connection: StoredConnection, fault: string): Promise<void> {
  await db
    .updateTable('source_connections')
    .set({ fault })
    .where((is) => is.and(keyOf(connection)))
    .where('connected_at', '=', connection.connectedAt)
    .execute()
}

/** By repository. */
export async function listConnections(db: Queryable, sourceId: string): Promise<readonly StoredConnection[]> {
  const rows = await db
    .selectFrom('source_connections')
    .selectAll()
    .where('source_id', '=', sourceId)
    .orderBy('repository_key')
    .execute()
  return rows.flatMap((row) => toConnection(row) ?? [])
}

/** The sources that have any. */
export async function listConnectedSources(db: Queryable): Promise<readonly string[]> {
  const rows = await db.selectFrom('source_connections').select('source_id').distinct().execute()
  return rows.map(({ source_id }) => source_id)
}

/**
 * When a delivery that names the repository, or none as some pings do, first proved the webhook. The index of source
 * and repository serves both.
 */
export async function findProof(
  db: Queryable,
  { sourceId, repository, connectedAt }: StoredConnection,
): Promise<Date | null> {
  const { rows } = await sql<{ receivedAt: Date }>`
    select received_at as "receivedAt" from (
      (select id, received_at from deliveries
        where source_id = ${sourceId} and lower(repository) = ${repository.toLowerCase()}
          and id >= ${lowestIdOf(connectedAt.getTime())} and verification = 'verified' and replay_of is null
        order by id limit 1)
      union all
      (select id, received_at from deliveries
        where source_id = ${sourceId} and lower(repository) is null
          and id >= ${lowestIdOf(connectedAt.getTime())} and verification = 'verified' and replay_of is null
        order by id limit 1)
    ) as proofs order by id limit 1`.execute(db)
  return rows[0]?.receivedAt ?? null
}

/** Kept apart from the deliveries, which go after a while. */
export async function noteProof(db: Queryable, connection: StoredConnection, at: Date): Promise<void> {
  await db
    .updateTable('source_connections')
    .set({ first_delivery_at: at })
    .where((is) => is.and(keyOf(connection)))
    .where('connected_at', '=', connection.connectedAt)
    .execute()
}

function keyOf({ sourceId, repository }: ConnectionPlace) {
  return { source_id: sourceId, repository_key: repository.toLowerCase() }
}

/** Undefined: it is being made. */
function toConnection(row: Selectable<DB['source_connections']>): StoredConnection | undefined {
  const { hookId, connectedAt, checkedAt, secretId, secretVersion, ...columns } = toCamel(row)
  if (hookId === null || connectedAt === null || checkedAt === null) return undefined
  const { sourceId, repository, fault, firstDeliveryAt } = columns
  const differences = columns.differences.filter(isDifference)
  const secret = secretId === null || secretVersion === null ? null : { id: secretId, version: secretVersion }
  return { sourceId, repository, hookId, connectedAt, checkedAt, differences, fault, firstDeliveryAt, secret }
}

function isDifference(text: string): text is HookDifference {
  return CONNECTION_DIFFERENCES.some((known) => known === text)
}
