import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aConnectedSource, aSource, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const PATH = '/v1/git-webhook-sources'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { PROVIDER_HOSTS: 'github.com, git.example.com' })
after(() => causes.close())
const db = testDatabase.database.kysely
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'read', value: 'token' })
const editor = (await aMember(db, 'editor', 'editor', TEAM)).headers
const read = { checkout_credential_ref: `secret:${TEAM}/read` }

let made = 0
function create(overrides: Record<string, unknown>, headers = {}) {
  made += 1
  return causes.call('POST', PATH, aSource({ name: `source ${made}`, ...overrides }), { headers })
}

function fieldsOf(body: Record<string, unknown>): string[] {
  return (Array.isArray(body['errors']) ? body['errors'] : []).map((error: { field: string }) => error.field)
}

describe('the address of the provider', () => {
  test('is kept without a slash at the end, and read back', async () => {
    const { body } = await create({ base_url: 'https://git.example.com/hub/' })
    assert.equal(body['base_url'], 'https://git.example.com/hub')
    assert.equal((await causes.call('GET', `${PATH}/${body['id']}`)).body['base_url'], 'https://git.example.com/hub')
  })

  const wrong: [string, Record<string, unknown>, string][] = [
    ['a host that no operator listed', { base_url: 'https://evil.com' }, 'base_url'],
    ['a user in it', { base_url: 'https://ada:x@github.com' }, 'base_url'],
    ['plain http', { base_url: 'http://github.com' }, 'base_url'],
    [
      'none where the provider has no public one and a credential is to go there',
      { provider: 'gitea', ...read },
      'base_url',
    ],
    ['none where the repository is to be read', { provider: 'gitea', read_repository: true }, 'base_url'],
    ['a status without a credential', { report_status: true }, 'report_status'],
    [
      'a status where the provider shows none',
      { provider: 'gogs', base_url: 'https://git.example.com', ...read, report_status: true },
      'report_status',
    ],
  ]
  for (const [name, change, field] of wrong) {
    test(`${name} is 400 and named`, async () => {
      const { status, body, text } = await create(change)
      assert.equal(status, 400, text)
      assert.deepEqual(fieldsOf(body), [field])
      assert.match(String(body['detail']), new RegExp(`^${field}`))
    })
  }

  test('is not needed by who only sends deliveries, nor where there is a public one', async () => {
    assert.equal((await create({ provider: 'gitea' })).status, 201)
    const whole = await create({ ...read, read_repository: true, report_status: true })
    assert.equal(whole.status, 201, whole.text)
    assert.deepEqual([whole.body['read_repository'], whole.body['report_status']], [true, true])
    const less = await causes.call('PATCH', `${PATH}/${whole.body['id']}`, { checkout_credential_ref: null })
    assert.deepEqual([less.status, fieldsOf(less.body)], [400, ['report_status']])
  })
})

describe('the owner of a source', () => {
  test('is who wrote it last; what a document says of it is ignored', async () => {
    const { body } = await create({}, editor)
    assert.equal(Object(body['owner'])['name'], 'editor')
    const written = await causes.call('PUT', `${PATH}/${body['id']}`, {
      ...body,
      owner: { kind: 'user', id: '1', name: 'eve' },
    })
    assert.equal(written.status, 200, written.text)
    assert.equal(Object(written.body['owner'])['name'], 'root')
    const { body: records } = await causes.call('GET', `/v1/audit?resource=webhook_source:${body['id']}`)
    assert.equal(Object(Object(records[0]?.['after'])['owner'])['name'], 'root')
  })
})

describe('the credential of a checkout', () => {
  async function credentialOfRun(source: Record<string, unknown>, cloneUrl: string): Promise<string | null> {
    made += 1
    const { url } = await aConnectedSource(causes, { name: `run ${made}`, ...read, ...source }, { name: `run-${made}` })
    const commit = randomBytes(20).toString('hex')
    const push = signPush({
      secret: SECRET,
      deliveryId: randomUUID(),
      after: commit,
      repository: { clone_url: cloneUrl },
    })
    assert.equal((await deliver(causes, url, push)).status, 202)
    const run = await db
      .selectFrom('runs')
      .select('checkout_credential_ref')
      .where('commit_sha', '=', commit)
      .executeTakeFirstOrThrow()
    return run.checkout_credential_ref
  }

  test('goes with a run that is cloned from the address of the provider, and with no other', async () => {
    const own = 'https://github.com/acme/widgets.git'
    const elsewhere = 'https://evil.com/acme/widgets.git'
    const enterprise = { base_url: 'https://git.example.com' }
    assert.equal(await credentialOfRun({}, own), read.checkout_credential_ref)
    assert.equal(await credentialOfRun({}, elsewhere), null)
    assert.equal(await credentialOfRun(enterprise, own), null)
    assert.equal(
      await credentialOfRun(enterprise, 'https://git.example.com/acme/widgets.git'),
      read.checkout_credential_ref,
    )
  })
})
