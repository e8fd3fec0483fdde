import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aConnectedSource, deliver, openCauses, PIPELINE, SCOPE, SECRET } from './testing.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely

describe('a signed push', () => {
  test('is answered 202 when delivery, trigger event and queued run are stored', async () => {
    const { id, url, triggerId } = await aConnectedSource(causes)
    const answer = await deliver(causes, url, signPush({ secret: SECRET, deliveryId: 'first' }))
    assert.equal(answer.status, 202, answer.text)
    assert.deepEqual(answer.body, { status: 'accepted' })

    const [delivery] = await db.selectFrom('deliveries').selectAll().where('source_id', '=', id).execute()
    assert.equal(delivery?.result, 'accepted')
    assert.equal(delivery?.verification, 'verified')
    const [event] = await db
      .selectFrom('trigger_events')
      .selectAll()
      .where('delivery_record_id', '=', delivery?.id ?? '')
      .execute()
    assert.equal(event?.kind, 'push')
    const [run] = await db
      .selectFrom('runs')
      .selectAll()
      .where('event_id', '=', event?.id ?? '')
      .execute()
    assert.deepEqual(delivery?.run_ids, [run?.id])
    assert.equal(run?.status, 'queued')
    assert.equal(run?.pipeline_identifier, PIPELINE)
    assert.equal(run?.scope, SCOPE)
    assert.equal(run?.trigger_id, triggerId)
    assert.equal(run?.commit_sha, 'b'.repeat(40))
    assert.equal(causes.queuedSignals(), 1)
  })
})
