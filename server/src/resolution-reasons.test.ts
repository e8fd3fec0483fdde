import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPipeline } from './rooms/catalog/pipelines/testing.ts'
import { aMemberOf } from './rooms/foundation/access/testing.ts'
import { anEnvironment } from './rooms/foundation/teams/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

const { db, ask, make } = await openTestHouse()
for (const scope of ['acme/test', 'other/test', 'other/secret-launch']) await anEnvironment(db, scope)
const boss = await aMemberOf(db, 'boss', { '/': 'administrator' })
const bob = await aMemberOf(db, 'bob', { acme: 'editor', other: 'editor' })
const eve = await aMemberOf(db, 'eve', { acme: 'viewer' })
const document = `name: deploy
steps:
  - name: ship
    scope: other/secret-launch
    tasks: [{ name: t, run: "true" }]
`
await aPipeline(db, 'other/deploy', document)

test('the resolution tells a reader of the trigger nothing of a pipeline that they may not see', async () => {
  const trigger = { team_path: 'acme', name: 'push', repositories: ['acme/shop'], events: ['push'], scope: 'acme/test' }
  await make(bob.token, 'POST', '/v1/triggers', { ...trigger, pipeline: 'other/deploy' })
  const closed = { protected: true, allowed_subjects: [] }
  await make(boss.token, 'PATCH', '/v1/teams/other/environments/secret-launch', closed)
  assert.equal((await ask(eve.token, 'GET', '/v1/pipelines/other%2Fdeploy')).status, 404)
  const question = '/v1/overrides/acme/shop/resolution?ref=main&event=push'
  const told = await ask(eve.token, 'GET', question)
  assert.equal(told.status, 200, told.text)
  assert.match(told.text, /"would_start":false/)
  assert.doesNotMatch(told.text, /secret-launch|steps\.ship/)
  assert.match((await ask(bob.token, 'GET', question)).text, /secret-launch/, 'its owner hears the reason')
})
