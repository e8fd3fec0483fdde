import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '#platform/testing'
import { laneText } from './lanes.ts'
import { goesBefore, type Wish } from './wish.ts'

const { database } = await createTestDatabase()

test('a lane is written as the database writes it', async () => {
  for (const [executor, labels] of [
    ['host', []],
    ['container', ['gpu', 'arm64']],
  ] as const) {
    const requirement = JSON.stringify({ executor, labels: [...labels].sort() })
    const { rows } = await sql<{ lane: string }>`
      select 'acme/web/production' || ' ' || ${requirement}::jsonb::text as lane`.execute(database.kysely)
    assert.equal(laneText('acme/web/production', { executor, labels }), rows[0]?.lane)
  }
})

test('runs that began are ended before what was queued later, whatever its priority', () => {
  const teamPath = 'acme/web'
  const key = { step: '', task: '', number: 1 }
  const wish: Wish = { id: '', runId: '5', lane: '', teamPath, priority: 0, ...key, handedBack: null, row: null }
  assert.ok(goesBefore(wish, { id: '7', teamPath, priority: 100 }), 'the run of the attempt is older')
  assert.ok(!goesBefore(wish, { id: '3', teamPath, priority: 0 }), 'the queued run is older')
  assert.ok(!goesBefore(wish, { id: '3', teamPath, priority: 50 }))
  assert.ok(goesBefore({ ...wish, priority: 10 }, { id: '3', teamPath, priority: 0 }), 'of an older one that is lower')
  assert.ok(goesBefore(wish, { id: '3', teamPath: 'acme/data', priority: 100 }), 'of another team, whose turn comes')
})
