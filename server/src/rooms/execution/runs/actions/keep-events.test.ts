import assert from 'node:assert/strict'
import { test } from 'node:test'
import { execute } from '#platform/database'
import { createIds } from '#platform/ids'
import { createTestDatabase } from '#platform/testing'
import { insertEventBlocks } from '../store/run-events.ts'
import { keepEventTexts, packEvents, readEvents } from './keep-events.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const ids = createIds(Date.now)
const kept = keepEventTexts()
/** Of a process that packed nothing. */
const none = keepEventTexts()

test('events come back as they were, each at its place, whatever characters they hold', async () => {
  const events = Array.from({ length: 100 }, (_, at) => ({ at, text: `“${'ä😀\n'.repeat(at)}”`, list: [at, null] }))
  const { places, blocks } = packEvents(ids, kept, events)
  await execute(db, insertEventBlocks(blocks))
  assert.deepEqual(await readEvents(none, db, places), events)
  assert.deepEqual(await readEvents(none, db, places.slice(40, 42)), events.slice(40, 42))
})

test('runs of one event share it; a run without an event has none', async () => {
  const [one, other] = [{ kind: 'push' }, { kind: 'push' }]
  const { places, blocks } = packEvents(ids, kept, [one, null, other, one, undefined])
  assert.equal(blocks.length, 1)
  assert.deepEqual(places[0], places[3])
  await execute(db, insertEventBlocks(blocks))
  assert.deepEqual(await readEvents(none, db, places), [one, null, other, one, null])
  assert.deepEqual(packEvents(ids, kept, [null]).blocks, [])
})

test('the process that packed events asks the database for none of them', async () => {
  const events = Array.from({ length: 100 }, (_, at) => ({ at }))
  const { places } = packEvents(ids, kept, [...events, null])
  assert.deepEqual(await readEvents(kept, db, places), [...events, null])
})

test('events beyond what a process keeps are read from the database', async () => {
  const events = Array.from({ length: 3 * 32 }, (_, at) => ({ at, text: 'x'.repeat(20_000) }))
  const { places, blocks } = packEvents(ids, kept, events)
  await execute(db, insertEventBlocks(blocks))
  assert.deepEqual(await readEvents(kept, db, places), events)
  assert.ok(kept.calculatedSize <= 1024 * 1024)
})
