import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { type ExpectedCall, openForgeDouble } from '../../../adapters/forges/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aSource, openCauses, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { PROVIDER_HOSTS: '127.0.0.1' })
after(() => causes.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'read', value: 'read-token' })

let made = 0
async function connect(source: Record<string, unknown>): Promise<string> {
  made += 1
  const created = await causes.call(
    'POST',
    '/v1/git-webhook-sources',
    aSource({ name: `source ${made}`, provider: 'gitea', ...source }),
  )
  assert.equal(created.status, 201, created.text)
  return String(created.body['id'])
}

function branchesOf(path: string, headers: Record<string, string> = viewer) {
  return causes.call('GET', `/v1/repositories/${path}/branches`, undefined, { headers })
}

/** Gitea's list of branches of acme/<name>. */
function listing(name: string, reply: ExpectedCall['reply'], token?: string): ExpectedCall {
  const authorization = token === undefined ? undefined : `token ${token}`
  return { method: 'GET', path: `/api/v1/repos/${name}/branches?limit=100&page=1`, headers: { authorization }, reply }
}

const MAIN = [{ name: 'main', commit: { id: 'a'.repeat(40) } }]
const read = { checkout_credential_ref: `secret:${TEAM}/read` }

describe('GET /v1/repositories/{repoOwner}/{repoName}/branches', () => {
  test('200: asked with the read credential of the source that admits the repository', async (t) => {
    const forge = await openForgeDouble(t, [listing('acme/with', { status: 200, body: MAIN }, 'read-token')])
    await connect({ base_url: forge.url, repository_allowlist: ['acme/with'], ...read })
    const { status, body } = await branchesOf('acme/with')
    assert.equal(status, 200)
    assert.deepEqual(body, [{ name: 'main', commit_sha: 'a'.repeat(40) }])
  })

  test('200: anonymously where the source has none; nested owners are encoded', async (t) => {
    const forge = await openForgeDouble(t, [listing('acme/sub/group/open', { status: 200, body: MAIN })])
    await connect({ base_url: forge.url, repository_allowlist: ['acme/sub/**'] })
    assert.equal((await branchesOf('acme%2Fsub%2Fgroup/open')).status, 200)
  })

  test('a source with a credential is asked before one without; another one when the first does not know it', async (t) => {
    const open = await openForgeDouble(t, [listing('acme/two', { status: 200, body: MAIN })])
    const closed = await openForgeDouble(t, [listing('acme/two', { status: 404 }, 'read-token')])
    await connect({ base_url: open.url, repository_allowlist: ['acme/two'] })
    await connect({ base_url: closed.url, repository_allowlist: ['acme/two'], ...read })
    assert.equal((await branchesOf('acme/two')).status, 200)
  })

  test('404: no source admits it, one that is not seen does, one that is disabled, one without an address or an API', async (t) => {
    const forge = await openForgeDouble(t, [])
    const source = { base_url: forge.url, repository_allowlist: ['acme/hidden'] }
    const id = await connect(source)
    const notConnected = async (path: string, headers = viewer) => {
      const { status, body } = await branchesOf(path, headers)
      assert.deepEqual([status, body['code']], [404, 'not_found'], path)
    }
    await notConnected('acme/nobody')
    await notConnected('acme/hidden', stranger)
    await causes.call('PATCH', `/v1/git-webhook-sources/${id}`, { enabled: false })
    await notConnected('acme/hidden')
    await connect({ repository_allowlist: ['acme/nowhere'] })
    await notConnected('acme/nowhere')
    await connect({ provider: 'generic', base_url: forge.url, repository_allowlist: ['acme/generic'] })
    await notConnected('acme/generic')
  })

  test('404: the provider does not have it, or does not show it', async (t) => {
    const forge = await openForgeDouble(t, [listing('acme/gone', { status: 404 })])
    await connect({ base_url: forge.url, repository_allowlist: ['acme/gone'] })
    assert.equal((await branchesOf('acme/gone')).status, 404)
  })

  const failures: [string, ExpectedCall['reply'], RegExp][] = [
    ['fails', { status: 500 }, /answered 500/],
    ['refuses the credential', { status: 401 }, /refused the credential/],
    ['answers what is no JSON', { status: 200, headers: { 'content-type': 'text/html' }, body: 'hello' }, /not/],
    ['breaks off', 'reset', /reached|broke off/],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, /redirects/],
  ]
  for (const [what, reply, sentence] of failures) {
    test(`502 with a sentence: the provider ${what}`, async (t) => {
      const name = `acme/${what.split(' ')[0]}-${made}`
      const forge = await openForgeDouble(t, [listing(name, reply, 'read-token')])
      await connect({ base_url: forge.url, repository_allowlist: [name], ...read })
      const { status, body, text } = await branchesOf(name)
      assert.deepEqual([status, body['code']], [502, 'repository.provider_unreachable'], text)
      assert.match(String(body['detail']), sentence)
      assert.ok(!text.includes('read-token'))
    })
  }

  test('502: the credential cannot be used any more', async (t) => {
    const forge = await openForgeDouble(t, [])
    const secretId = await aSecret(causes.kit, db, { teamPath: TEAM, name: 'lost', value: 'x' })
    await connect({
      base_url: forge.url,
      repository_allowlist: ['acme/lost'],
      checkout_credential_ref: `secret:${TEAM}/lost`,
    })
    await db.deleteFrom('secrets').where('id', '=', secretId).execute()
    const { status, body } = await branchesOf('acme/lost')
    assert.equal(status, 502)
    assert.match(String(body['detail']), /The credential cannot be used: There is no secret lost/)
  })

  test('400 for what is no name, 401 without a token', async () => {
    for (const path of ['acme%2F/x', 'acme/x%20%00', `acme/${'x'.repeat(300)}`]) {
      assert.equal((await branchesOf(path)).status, 400, path)
    }
    const unknown = await causes.call('GET', '/v1/repositories/acme/x/branches?colour=red')
    assert.equal(unknown.status, 400)
    assert.equal((await branchesOf('acme/x', { authorization: '' })).status, 401)
  })
})
