import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aMember } from '../../foundation/access/testing.ts'
import { openOverrides, PIPELINE, SCOPE, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const clock = createTestClock()
const house = await openOverrides(testDatabase, { clock })
after(() => house.close())
const editor = await aMember(testDatabase.database.kysely, 'editor', 'editor', TEAM)

test('a draft is the override as it would be stored, and stores nothing', async () => {
  const caller = await house.callerOf(editor.headers)
  const wanted = { repoOwner: 'acme', repoName: 'widgets', pipeline: PIPELINE, scope: undefined }
  const { override, standing } = await house.overrides.draft(caller, wanted)
  assert.deepEqual(standing, { inEffect: true, reason: null })
  const { id: _id, ...rest } = override
  assert.deepEqual(rest, {
    repoOwner: 'acme',
    repoName: 'widgets',
    teamPath: TEAM,
    pipeline: PIPELINE,
    scope: SCOPE,
    expiresAt: null,
    reason: null,
    owner: { kind: 'user', id: editor.id, name: 'editor' },
    createdAt: clock.now(),
    updatedAt: clock.now(),
  })
  assert.deepEqual((await house.call('GET', '/v1/overrides/acme/widgets')).body, {})
})
