import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aMemberOf } from './rooms/foundation/access/testing.ts'
import { aTeam } from './rooms/foundation/teams/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

const { db, ask, make } = await openTestHouse({ env: { PROVIDER_HOSTS: '127.0.0.1' } })
await aTeam(db, 'acme')
const boss = await aMemberOf(db, 'boss', { '/': 'administrator' })
const owner = await aMemberOf(db, 'owner', { acme: 'owner' })

test('the secret by which a connection calls its provider is in use, until the connection is gone', async () => {
  const value = 'token-of-the-account'
  const id = await make(owner.token, 'POST', '/v1/secrets', { team_path: 'acme', name: 'gitea', value })
  const connection = { app_id: 'bot', base_url: 'http://127.0.0.1:9', team_path: 'acme' }
  await make(boss.token, 'PUT', '/v1/git-apps/gitea', { ...connection, credential_ref: 'secret:acme/gitea' })
  const refused = await ask(owner.token, 'DELETE', `/v1/secrets/${id}`)
  assert.deepEqual([refused.status, refused.body['code']], [409, 'secret.in_use'], refused.text)
  assert.match(refused.text, /the connection to gitea/)
  assert.equal((await ask(boss.token, 'DELETE', '/v1/git-apps/gitea')).status, 204)
  assert.equal((await ask(owner.token, 'DELETE', `/v1/secrets/${id}`)).status, 204)
})
