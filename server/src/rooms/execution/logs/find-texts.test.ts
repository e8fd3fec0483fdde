import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase, createTestKit } from '#platform/testing'
import { openRuns } from '../runs/testing.ts'
import { appendLines } from './actions/append-lines.ts'
import { logs } from './index.ts'
import { anAttempt, chunkOf, NO_LIMITS } from './testing.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const below = await openRuns(kit)
const parts = await logs.open(kit, { runs: below.runs, audit: below.audit, secrets: below.secrets })
after(() => below.close())
const db = database.kysely

test('lines that fit an expression are found in the last attempt of each task, up to a limit', async () => {
  const first = await anAttempt(kit, { task: 'unit', number: 1 })
  const last = await anAttempt(kit, { runId: first.runId, task: 'unit', number: 2 })
  const other = await anAttempt(kit, { runId: first.runId, task: 'lint' })
  await appendLines(db, [chunkOf(first, 0, ['::error old'])], NO_LIMITS)
  await appendLines(db, [chunkOf(last, 0, ['a', '::error one', ' ::error two', 'not ::error'])], NO_LIMITS)
  await appendLines(db, [chunkOf(other, 0, ['::error three'])], NO_LIMITS)
  const find = (limit: number) => parts.door.findTexts(first.runId, '^\\s*::error', limit)
  assert.deepEqual(await find(10), { texts: ['::error one', ' ::error two', '::error three'], more: false })
  assert.deepEqual(await find(3), { texts: ['::error one', ' ::error two', '::error three'], more: false })
  assert.deepEqual(await find(2), { texts: ['::error one', ' ::error two'], more: true })
  assert.deepEqual(await parts.door.findTexts(crypto.randomUUID(), 'x', 10), { texts: [], more: false })
})
