import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { execute } from '#platform/database'
import { createTestDatabase, until } from '#platform/testing'
import { type DeliveryToStore, storeDeliveries } from './commit.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const sourceId = '01900000-0000-7000-8000-000000000001'

let made = 0
function aDelivery(deliveryId: string): DeliveryToStore {
  made += 1
  const id = `01900000-0000-7000-8000-0000000001${String(made).padStart(2, '0')}`
  return {
    repetition: 'claim',
    delivery: {
      id,
      sourceId,
      deliveryId,
      receivedAt: new Date(),
      eventType: 'push',
      action: null,
      repository: null,
      ref: null,
      commitSha: null,
      sender: null,
      result: 'accepted',
      verification: 'verified',
      statusCode: 202,
      reason: 'One run was queued.',
      runIds: [],
      duplicateOf: null,
      replayOf: null,
      unusable: false,
      durationMs: 1,
      payloadBytes: 0,
      payload: null,
      trace: { verification: 'verified', events: [] },
    },
  }
}

test('ids of deliveries are claimed in one order, so that two groups never wait for each other', async () => {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = database.transaction(async (tx) => {
    await execute(tx, storeDeliveries([aDelivery('b')], []))
    held.resolve()
    await release.promise
    throw new Error('undone')
  })
  await held.promise
  const group = execute(db, storeDeliveries([aDelivery('c'), aDelivery('b'), aDelivery('a')], []))
  await until(
    'the group to wait for b',
    async () =>
      (
        await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
      ).rows.length,
    (count) => count === 1,
  )
  // The transaction has claimed a, and nothing behind b.
  await database.transaction(async (tx) => {
    await sql`set local lock_timeout = '500ms'`.execute(tx)
    await execute(tx, storeDeliveries([aDelivery('d'), aDelivery('c')], []))
    await sql`delete from delivery_keys where delivery_id in ('c', 'd')`.execute(tx)
  })
  release.resolve()
  await assert.rejects(holder, /undone/)
  await group
})
