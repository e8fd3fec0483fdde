import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aConnectedSource, aSource, deliver, openCauses, PIPELINE, SECRET } from './testing.ts'

/** A source vouches for overrides of its repositories: no other team can make its events start something. */

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await anEnvironment(db, 'rival/staging')
await aPipeline(db, 'rival/build')
const squatter = (await aMember(db, 'squatter', 'owner', 'rival')).headers

let made = 0
async function aSquattedRepository() {
  made += 1
  const repository = `acme/squatted-${made}`
  const path = `/v1/overrides/${repository}`
  const taken = await causes.call('PUT', path, { pipeline: 'rival/build' }, { headers: squatter })
  assert.deepEqual([taken.status, taken.body['in_effect']], [200, false], taken.text)
  const source = await aConnectedSource(
    causes,
    { name: `source-${made}`, repository_allowlist: [repository] },
    { name: `trigger-${made}`, repositories: [repository], branches: [] },
  )
  return { repository, path, source }
}

const push = (repository: string, commit = 'b'.repeat(40)) =>
  signPush({ secret: SECRET, deliveryId: randomUUID(), after: commit, repository: { full_name: repository } })
const teamsOf = async (repository: string) =>
  (await db.selectFrom('runs').select('team_path').where('repository', '=', repository).orderBy('id').execute()).map(
    (run) => run.team_path,
  )

describe('an override of somebody whom no source of the repository knows', () => {
  test("decides nothing, stands in nobody's way, and is told to its owner alone", async () => {
    const { repository, path, source } = await aSquattedRepository()
    assert.equal((await deliver(causes, source.url, push(repository))).status, 202)
    assert.deepEqual(await teamsOf(repository), ['acme/web'])
    const written = await causes.call('PUT', path, { pipeline: PIPELINE })
    assert.deepEqual([written.status, written.body['in_effect']], [200, true], written.text)
    const kept = await causes.call('GET', path, undefined, { headers: squatter })
    assert.deepEqual([kept.body['pipeline'], kept.body['in_effect']], ['rival/build', false])
    const resolution = await causes.call('GET', `${path}/resolution?ref=main`, undefined, { headers: squatter })
    assert.doesNotMatch(resolution.text, /acme\/web/)
    await deliver(causes, source.url, push(repository, 'c'.repeat(40)))
    const deliveries = `/v1/git-webhook-sources/${source.id}/deliveries`
    const [latest] = Object.values((await causes.call('GET', deliveries)).body)
    const trace = (await causes.call('GET', `${deliveries}/${String(Object(latest)['id'])}`)).text
    assert.match(trace, /"name":"rival\/build".*The override does not apply/)
    assert.match(trace, /"outcome":"started"/)
    assert.deepEqual(await teamsOf(repository), ['acme/web', 'acme/web'])
  })
})

describe('what a source allows', () => {
  test('decides from its next change on, in both directions', async () => {
    const { path, source } = await aSquattedRepository()
    await causes.call('PUT', path, { pipeline: PIPELINE })
    const toBe = (inEffect: boolean) =>
      until(
        `in effect to be ${inEffect}`,
        async () => (await causes.call('GET', path)).body['in_effect'],
        (said) => said === inEffect,
      )
    const change = async (body: Record<string, unknown>) => {
      const changed = await causes.call('PATCH', `/v1/git-webhook-sources/${source.id}`, body)
      assert.equal(changed.status, 200, changed.text)
    }
    await toBe(true)
    await change({ enabled: false })
    await toBe(false)
    await change({ enabled: true })
    await toBe(true)
    await change({ repository_allowlist: ['acme/elsewhere'] })
    await toBe(false)
    await change({ repository_allowlist: ['acme/*'] })
    await toBe(true)
    assert.equal((await causes.call('DELETE', `/v1/git-webhook-sources/${source.id}`)).status, 204)
    await toBe(false)
  })
})

describe('a posted event', () => {
  const post = (repository: string, commit: string, headers: Record<string, string> = {}) => {
    const told = { kind: 'push', provider: 'github', repository: { full_name: repository }, branch: 'main' }
    return causes.call('POST', '/v1/git/events', { ...told, after: commit }, { headers })
  }

  test('passes over an override that the poster may not start, however old it is', async () => {
    const repository = 'acme/posted'
    const poster = (await aMember(db, 'poster', 'operator', 'acme/web')).headers
    await aSecret(causes.kit, db, { teamPath: 'rival', name: 'hook', value: SECRET })
    const listing = { name: 'rivals', team_path: 'rival', credential_ref: 'secret:rival/hook' }
    const document = aSource({ ...listing, repository_allowlist: [repository] })
    const own = await causes.call('POST', '/v1/git-webhook-sources', document, { headers: squatter })
    assert.equal(own.status, 201, own.text)
    const path = `/v1/overrides/${repository}`
    const older = await causes.call('PUT', path, { pipeline: 'rival/build' }, { headers: squatter })
    assert.deepEqual([older.status, older.body['in_effect']], [200, true], older.text)
    const ours = aSource({ name: 'ours', repository_allowlist: [repository] })
    const headers = (await aMember(db, 'chief', 'owner', 'acme/web')).headers
    assert.equal((await causes.call('POST', '/v1/git-webhook-sources', ours, { headers })).status, 201)
    const written = await causes.call('PUT', path, { pipeline: PIPELINE }, { headers })
    assert.deepEqual([written.status, written.body['in_effect']], [200, true], written.text)
    const posted = await post(repository, '2'.repeat(40), poster)
    assert.equal(posted.body['status'], 'accepted', posted.text)
    assert.deepEqual(await teamsOf(repository), ['acme/web'])
  })

  test('starts nothing of an override that no source vouches for', async () => {
    const repository = 'unheard/of'
    await causes.call('PUT', `/v1/overrides/${repository}`, { pipeline: PIPELINE })
    assert.equal((await post(repository, '1'.repeat(40))).body['status'], 'ignored')
    assert.deepEqual(await teamsOf(repository), [])
  })
})
