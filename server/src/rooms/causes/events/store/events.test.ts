import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '#platform/testing'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { markResolved, takePending } from './events.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const id = '01900000-0000-7000-8000-000000000001'

test('an event is resolved once, and the second caller is told', async () => {
  await sql`insert into trigger_events (id, event, kind, action, provider, repository, source_id, delivery_record_id,
      received_at, resolution, result, tries)
    values (${id}, ${JSON.stringify(anEvent())}, 'push', 'updated', 'github', 'acme/widgets', ${id}, ${id}, now(),
      'pending', 'pending', 0)`.execute(db)
  assert.equal((await takePending(db, id))?.tries, 1)
  assert.equal(await markResolved(db, id, 'accepted'), true)
  assert.equal(await markResolved(db, id, 'ignored'), false)
  assert.equal(await takePending(db, id), undefined)
})
