import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aMember } from '../../foundation/access/testing.ts'
import { aTrigger, openCauses, PIPELINE, SCOPE, TEAM, toCalled } from '../sources/testing.ts'

/** What whoever posts an event may say in it: an address to clone is as much as a change of the pipeline. */

const KEY = 'a key of more than sixteen characters'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { EVENT_SIGNING_SECRET: KEY })
after(() => causes.close())
const db = testDatabase.database.kysely
const operator = (await aMember(db, 'operator', 'operator', TEAM)).headers
const editor = (await aMember(db, 'editor', 'editor', TEAM)).headers

let made = 0
const anEvent = (more: Record<string, unknown> = {}) => ({
  kind: 'push',
  provider: 'github',
  repository: { full_name: `acme/posted-${made}`, clone_url: 'https://evil.example.com/x.git' },
  branch: 'main',
  after: 'c'.repeat(40),
  ...more,
})

async function post(body: unknown, headers: Record<string, string>, sign = false) {
  const payload = JSON.stringify(body)
  const signature = { 'x-service-signature': `sha256=${createHmac('sha256', KEY).update(payload).digest('hex')}` }
  const type = { 'content-type': 'application/json' }
  const all = { ...type, ...headers, ...(sign ? signature : {}) }
  return toCalled(await causes.http.app.inject({ method: 'POST', url: '/v1/git/events', payload, headers: all }))
}

describe('an event that says what to clone', () => {
  test('starts what a trigger says only for who may change the pipeline, or with a signature', async () => {
    made += 1
    const trigger = aTrigger({ name: `t${made}`, repositories: [`acme/posted-${made}`], branches: [] })
    assert.equal((await causes.call('POST', '/v1/triggers', trigger)).status, 201)
    const refused = await post(anEvent(), operator)
    assert.equal(refused.status, 403, refused.text)
    assert.deepEqual((await post(anEvent(), editor)).body, { status: 'accepted' })
    assert.deepEqual((await post(anEvent({ after: 'd'.repeat(40) }), operator, true)).body, { status: 'accepted' })
    assert.equal((await post(anEvent({ repository: { full_name: `acme/posted-${made}` } }), operator)).status, 200)
  })

  test('starts the pipeline that it names under the same rule', async () => {
    const named = { pipeline: PIPELINE, scope: SCOPE }
    assert.equal((await post(anEvent(named), operator)).status, 403)
    assert.ok((await post(anEvent(named), editor)).body['run_id'])
    assert.ok((await post(anEvent(named), operator, true)).body['run_id'])
    assert.ok((await post(anEvent({ ...named, repository: { full_name: 'acme/x' } }), operator)).body['run_id'])
  })
})

test('a pull request from a fork names its commit: an approval of none would be one of whatever comes later', async () => {
  const end = { ref: 'main', sha: null, repository: 'acme/x' }
  const pull = { number: 7, title: 'x', draft: false, labels: [], merged: null, author: null, web_url: null }
  const event = anEvent({
    kind: 'pull_request',
    after: null,
    pull_request: { ...pull, head: end, base: end, from_fork: true },
    pipeline: PIPELINE,
    scope: SCOPE,
  })
  const { status, body } = await post(event, editor)
  assert.equal(status, 400)
  assert.match(JSON.stringify(body['errors']), /"field":"after"/)
})
