import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase, createTestKit } from '#platform/testing'
import { registerAccessMetrics } from './metrics.ts'
import { aGrant, aUser } from './testing.ts'

const { database } = await createTestDatabase()

test('a scrape tells what identifies people and who holds how many grants', async () => {
  const kit = createTestKit(database)
  registerAccessMetrics(kit)
  const user = await aUser(database.kysely, 'ada')
  await aGrant(database.kysely, `user:${user}`, 'administrator', '/')
  const { text } = await kit.metrics.render()
  assert.match(text, /signalbox_identity_provider_capability\{provider="local",capability="password"\} 1/)
  assert.match(text, /signalbox_authorization_grants\{owner_kind="user",role="administrator"\} 1/)
})
