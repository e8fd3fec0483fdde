import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase, testCaller } from '#platform/testing'
import { signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aConnectedSource, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
await aSecret(causes.kit, db, { teamPath: 'acme/other', name: 'hook', value: SECRET })

const busy = await aConnectedSource(causes, { name: 'busy' }, { name: 'busy' })
const quiet = await aConnectedSource(causes, { name: 'quiet' }, { name: 'quiet' })
const foreign = await aConnectedSource(
  causes,
  { name: 'foreign', team_path: 'acme/other', credential_ref: 'secret:acme/other/hook' },
  { name: 'foreign' },
)
const everything = testCaller()
const web = testCaller({ [TEAM]: ['webhook_source.read', 'delivery.read'] })

function push(fullName: string, secret = SECRET) {
  const commit = randomBytes(20).toString('hex')
  return signPush({ secret, deliveryId: randomUUID(), after: commit, repository: { full_name: fullName } })
}

const twice = push('acme/widgets')
await deliver(causes, quiet.url, push('acme/quiet'))
for (const delivery of [push('acme/gears'), twice, twice, push('acme/widgets', 'wrong'), push('nobody/outside')]) {
  await deliver(causes, busy.url, delivery)
}
await deliver(
  causes,
  busy.url,
  signDelivery({ action: 'created' }, { secret: SECRET, event: 'star', deliveryId: randomUUID() }),
)
await deliver(causes, foreign.url, push('acme/foreign'))
const replayed = await causes.call('GET', `/v1/git-webhook-sources/${busy.id}/deliveries?repository=acme/gears`)
await causes.call('POST', `/v1/git-webhook-sources/${busy.id}/deliveries/${replayed.body[0]?.['id']}/replay`)

async function repositoriesOf(...[caller, filter]: Parameters<typeof causes.readDeliveries>): Promise<string[]> {
  return (await causes.readDeliveries(caller, filter)).map(({ event }) => event.repository.full_name)
}

describe('kept deliveries for questions about runs that would have started', () => {
  test('newest first over all sources that the caller may read: no forgery, repetition, replay or unmapped event', async () => {
    assert.deepEqual(await repositoriesOf(everything, { limit: 10 }), [
      'acme/foreign',
      'nobody/outside',
      'acme/widgets',
      'acme/gears',
      'acme/quiet',
    ])
    assert.deepEqual(await repositoriesOf(web, { limit: 10 }), [
      'nobody/outside',
      'acme/widgets',
      'acme/gears',
      'acme/quiet',
    ])
    assert.deepEqual(await repositoriesOf(testCaller({ [TEAM]: ['webhook_source.read'] }), { limit: 10 }), [])
    assert.deepEqual(await repositoriesOf(testCaller({ [TEAM]: ['delivery.read'] }), { limit: 10 }), [])
  })

  test('of one source, of some repositories, no more than asked for', async () => {
    assert.deepEqual(await repositoriesOf(everything, { sourceId: quiet.id, limit: 10 }), ['acme/quiet'])
    assert.deepEqual(await repositoriesOf(web, { sourceId: foreign.id, limit: 10 }), [])
    assert.deepEqual(await repositoriesOf(everything, { sourceId: randomUUID(), limit: 10 }), [])
    assert.deepEqual(await repositoriesOf(everything, { limit: 2 }), ['acme/foreign', 'nobody/outside'])
    const repositories = (name: string) => name.endsWith('gears')
    assert.deepEqual(await repositoriesOf(everything, { repositories, limit: 10 }), ['acme/gears'])
  })

  test('each with its record, its event as it is normalised now, and what its source is for', async () => {
    const [one] = await causes.readDeliveries(everything, { sourceId: quiet.id, limit: 1 })
    const record = (await causes.call('GET', `/v1/git-webhook-sources/${quiet.id}/deliveries`)).body[0]
    assert.deepEqual(
      [one?.deliveryRecordId, one?.sourceId, one?.receivedAt.toISOString(), one?.eventType, one?.event.kind],
      [record?.['id'], quiet.id, record?.['received_at'], 'push', 'push'],
    )
    assert.equal(one?.context.sourceId, quiet.id)
    assert.equal(one?.context.visibleTo({ kind: 'user', id: randomUUID(), name: 'nobody' }), false)
  })

  test('a payload that is gone is left out', async () => {
    await db.deleteFrom('delivery_payloads').where('source_id', '=', quiet.id).execute()
    assert.deepEqual(await repositoriesOf(everything, { sourceId: quiet.id, limit: 10 }), [])
  })
})

describe('who may say what the events of a repository start', () => {
  const override = (name: string, headers: Record<string, string>) =>
    causes.call('PUT', `/v1/overrides/acme/${name}`, { pipeline: 'acme/web/build' }, { headers })

  test('needs a source that admits it and that its author may change; otherwise it is stored and decides nothing', async () => {
    const editor = (await aMember(db, 'editor', 'editor', TEAM)).headers
    await aConnectedSource(
      causes,
      {
        name: 'theirs',
        team_path: 'acme/other',
        credential_ref: 'secret:acme/other/hook',
        repository_allowlist: ['theirs/*'],
      },
      { name: 'theirs' },
    )
    const own = await override('widgets', editor)
    assert.deepEqual([own.status, own.body['in_effect']], [200, true])
    const theirs = await causes.call(
      'PUT',
      '/v1/overrides/theirs/repo',
      { pipeline: 'acme/web/build' },
      { headers: editor },
    )
    assert.deepEqual([theirs.status, theirs.body['in_effect']], [200, false], theirs.text)
    const free = await causes.call(
      'PUT',
      '/v1/overrides/unheard/of',
      { pipeline: 'acme/web/build' },
      { headers: editor },
    )
    assert.deepEqual([free.status, free.body['in_effect']], [200, false], free.text)
    const why = (called: typeof free): string =>
      String(called.body['not_in_effect_because']).replace(/theirs\/repo|unheard\/of/, 'it')
    assert.equal(why(theirs), why(free))
  })
})
