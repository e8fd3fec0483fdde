import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { FORGES } from '#adapters/forges'
import { createIds } from '#platform/ids'
import { createTestDatabase, until } from '#platform/testing'
import { signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { createHealthCounter } from './actions/count-health.ts'
import { aConnectedSource, aSource, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const PATH = '/v1/git-webhook-sources'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { CREDENTIAL_ENV_ALLOWLIST: 'HOOK_SECRET', HOOK_SECRET: SECRET })
after(() => causes.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'login', value: `signalbox:${SECRET}` })
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers

let made = 0
async function connected(source: Record<string, unknown> = {}) {
  made += 1
  return aConnectedSource(causes, { name: `source ${made}`, ...source }, { name: `trigger-${made}` })
}

async function healthOf(id: string): Promise<Record<string, unknown>> {
  const { status, body, text } = await causes.call('GET', `${PATH}/${id}/health`, undefined, { headers: viewer })
  assert.equal(status, 200, text)
  return body
}

function push(secret = SECRET) {
  return signPush({ secret, deliveryId: randomUUID(), after: randomBytes(20).toString('hex') })
}

function star(action: string) {
  return signDelivery({ action }, { secret: SECRET, event: 'star', deliveryId: randomUUID() })
}

describe('GET .../health', () => {
  test('unused, healthy, failing, healthy again, disabled', async () => {
    const { id, url } = await connected()
    const unused = await healthOf(id)
    assert.deepEqual(
      [unused['status'], unused['last_delivery_at'], unused['last_accepted_at'], unused['rejected_in_a_row']],
      ['unused', null, null, 0],
    )
    await deliver(causes, url, push())
    const well = await healthOf(id)
    assert.equal(well['status'], 'healthy')
    assert.equal(well['last_delivery_at'], well['last_accepted_at'])
    for (let at = 0; at < 3; at += 1) await deliver(causes, url, push('wrong'))
    const failing = await healthOf(id)
    assert.deepEqual([failing['status'], failing['rejected_in_a_row']], ['failing', 3])
    assert.equal(failing['last_accepted_at'], well['last_accepted_at'])
    assert.match(String(failing['sentence']), /401/)
    assert.deepEqual([failing['provider_pauses_after'], failing['probably_paused']], [null, false])
    await deliver(causes, url, push())
    assert.deepEqual([(await healthOf(id))['status'], (await healthOf(id))['rejected_in_a_row']], ['healthy', 0])
    await causes.call('PATCH', `${PATH}/${id}`, { enabled: false })
    assert.equal((await healthOf(id))['status'], 'disabled')
  })

  test('a replay is no answer to the provider', async () => {
    const { id, url } = await connected()
    await deliver(causes, url, push())
    for (let at = 0; at < 3; at += 1) await deliver(causes, url, push('wrong'))
    const list = await causes.call('GET', `${PATH}/${id}/deliveries?result=accepted`)
    const replayed = await causes.call('POST', `${PATH}/${id}/deliveries/${list.body[0]?.['id']}/replay`)
    assert.equal(replayed.status, 202)
    const { status, rejected_in_a_row: rejected, last_accepted_at: at } = await healthOf(id)
    assert.deepEqual([status, rejected, at], ['failing', 3, list.body[0]?.['received_at']])
  })

  test('names the events that nothing can use, acknowledged or not, of seven days; a ping is not one', async () => {
    const { id, url } = await connected()
    for (const action of ['created', 'deleted', 'created']) await deliver(causes, url, star(action))
    await causes.call('PATCH', `${PATH}/${id}`, { acknowledge_unmapped: true })
    assert.equal((await deliver(causes, url, star('created'))).status, 200)
    const ping = { zen: 'Keep it simple.', hook_id: 1, hook: { type: 'Repository' } }
    await deliver(causes, url, signDelivery(ping, { secret: SECRET, event: 'ping', deliveryId: randomUUID() }))
    const unusable = async () =>
      Object((await healthOf(id))['unusable_events']).map((one: Record<string, unknown>) => [
        one['event_type'],
        one['action'],
        one['count'],
      ])
    assert.deepEqual(await unusable(), [
      ['star', 'created', 3],
      ['star', 'deleted', 1],
    ])
    const old = createIds(() => Date.now() - 8 * 86_400_000)
    for (const { id: record } of await db.selectFrom('deliveries').select('id').where('source_id', '=', id).execute()) {
      await db.updateTable('deliveries').set({ id: old.next() }).where('id', '=', record).execute()
    }
    assert.deepEqual(await unusable(), [])
  })

  test('shows each live version of the secret with its last use, until the older one is retired', async () => {
    const secretId = await aSecret(causes.kit, db, { teamPath: TEAM, name: 'turning', value: 'first' })
    const { id, url } = await connected({ credential_ref: `secret:${TEAM}/turning` })
    await causes.call('PUT', `/v1/secrets/${secretId}`, { value: 'second' })
    const versions = async (): Promise<Record<string, unknown>[]> => Object((await healthOf(id))['credentials'])
    assert.deepEqual(
      (await versions()).map((one) => [one['secret_id'], one['version'], one['last_used_at']]),
      [
        [secretId, 2, null],
        [secretId, 1, null],
      ],
    )
    assert.equal((await deliver(causes, url, push('first'))).status, 202)
    await until('the use of the first', versions, (seen) => seen[1]?.['last_used_at'] !== null)
    assert.equal((await versions())[0]?.['last_used_at'], null)
    assert.equal((await deliver(causes, url, push('second'))).status, 202)
    await until('the use of the second', versions, (seen) => seen[0]?.['last_used_at'] !== null)
    assert.equal((await causes.call('DELETE', `/v1/secrets/${secretId}/versions/1`)).status, 204)
    const refused = async () => (await deliver(causes, url, push('first'))).status
    await until('the retired one to be refused', refused, (status) => status === 401)
    assert.equal((await deliver(causes, url, push('second'))).status, 202)
    assert.equal((await versions()).length, 1)
    const env = await connected({ credential_ref: 'env:HOOK_SECRET' })
    assert.equal((await deliver(causes, env.url, push())).status, 202)
    assert.deepEqual((await healthOf(env.id))['credentials'], [])
  })

  test('a secret is not deleted while a source needs it, for deliveries or for reading', async () => {
    const secretId = await aSecret(causes.kit, db, { teamPath: TEAM, name: 'needed', value: 'needed' })
    const first = await connected({ name: 'verifies with it', credential_ref: `secret:${TEAM}/needed` })
    const second = await connected({ name: 'reads with it', checkout_credential_ref: `secret:${TEAM}/needed` })
    const remove = () => causes.call('DELETE', `/v1/secrets/${secretId}`)
    const refused = await remove()
    assert.equal(refused.status, 409)
    assert.equal(refused.body['code'], 'secret.in_use')
    assert.match(
      String(refused.body['detail']),
      /the webhook source reads with it, the webhook source verifies with it/,
    )
    assert.equal((await deliver(causes, first.url, push('needed'))).status, 202)
    for (const { id } of [first, second]) await causes.call('DELETE', `/v1/git-webhook-sources/${id}`)
    assert.equal((await remove()).status, 204)
  })

  for (const { id: provider, webhooks } of FORGES) {
    test(`refusals of what ${provider} is not proved to have sent do not make it pause`, async () => {
      made += 1
      const authMode = webhooks.authModes[0]
      const credential = authMode === 'basic' ? { credential_ref: `secret:${TEAM}/login` } : {}
      const created = await causes.call(
        'POST',
        PATH,
        aSource({ name: `source ${made}`, provider, auth_mode: authMode, ...credential }),
      )
      assert.equal(created.status, 201, created.text)
      const id = String(created.body['id'])
      const patience = webhooks.pausesAfter ?? 6
      for (let at = 1; at <= patience; at += 1) {
        const headers = { 'content-type': 'application/json' }
        await deliver(causes, `/v1/git/webhooks/${id}`, { headers, body: Buffer.from('{}') })
        const { probably_paused: paused, rejected_in_a_row: rejected, status } = await healthOf(id)
        assert.deepEqual([rejected, paused, status], [at, false, at >= 3 ? 'failing' : 'healthy'])
      }
      assert.equal((await healthOf(id))['provider_pauses_after'], webhooks.pausesAfter)
    })
  }

  test('404 for what is not there or not seen, 400 for what is no id, 401 without a token', async () => {
    const { id } = await connected()
    const ask = (at: string, headers: Record<string, string> = {}) =>
      causes.call('GET', `${PATH}/${at}/health`, undefined, { headers })
    assert.equal((await ask(id, stranger)).status, 404)
    assert.equal((await ask(randomUUID())).status, 404)
    assert.equal((await ask('seven')).status, 400)
    assert.equal((await ask(id, { authorization: '' })).status, 401)
  })
})

describe('the health of many sources in numbers', () => {
  /** The newest delivery first: accepted, refused, a forgery that was refused, a ping. */
  const HISTORIES = [
    '',
    'a',
    'ra',
    'rrra',
    'rrrra',
    'rrrrrra',
    'rrrr',
    'r'.repeat(60),
    'ppppra',
    'pprrrrrra',
    'ppppp',
    'rppppa',
    'fffffa',
  ]
  const WHAT: Readonly<Record<string, readonly [result: string, verification: string, code: number]>> = {
    a: ['accepted', 'verified', 202],
    r: ['rejected', 'verified', 403],
    f: ['rejected', 'mismatch', 401],
    p: ['unprocessable', 'verified', 200],
  }

  test('tells the same as each source by itself, whatever came', async () => {
    const team = 'acme/many'
    await aTeam(db, team)
    await aSecret(causes.kit, db, { teamPath: team, name: 'hook', value: SECRET })
    const ids = createIds(Date.now)
    const expected: Record<string, number> = { healthy: 0, failing: 0, silent: 0, disabled: 0, unused: 0 }
    const sick = new Map<string, unknown>()
    for (const [provider, authMode] of [
      ['github', 'signature'],
      ['gitlab', 'token'],
    ] as const) {
      for (const history of HISTORIES) {
        const name = `many ${provider} ${history}`
        const wanted = { name, provider, auth_mode: authMode, team_path: team, credential_ref: `secret:${team}/hook` }
        const created = await causes.call('POST', PATH, aSource(wanted))
        assert.equal(created.status, 201, created.text)
        const id = String(created.body['id'])
        for (const letter of [...history].toReversed()) {
          const [result, verification, code] = WHAT[letter] ?? ['', '', 0]
          await sql`
            insert into deliveries (id, source_id, event_type, result, verification, status_code, reason, run_ids, trace, payload_bytes,
              received_at, duration_ms)
            values (${ids.next()}, ${id}, 'push', ${result}, ${verification}, ${code}, ${letter}, '{}', '{}', 1, now(), 1)`.execute(
            db,
          )
        }
        const alone = await causes.call('GET', `${PATH}/${id}/health`)
        const status = String(alone.body['status'])
        expected[status] = (expected[status] ?? 0) + 1
        if (status === 'failing') sick.set(id, history)
      }
    }
    assert.ok(Number(expected['failing']) > 5 && Number(expected['healthy']) > 5 && expected['unused'] === 2)
    const count = createHealthCounter({
      ...causes.kit,
      forges: { find: (id) => FORGES.find((forge) => forge.id === id) },
    })
    const { sick: told, ...counts } = await count([team])
    assert.deepEqual(counts, expected)
    assert.equal(told.length, 5)
    for (const { source_id: id, status } of told) assert.ok(status === 'failing' && sick.has(id))
  })
})
