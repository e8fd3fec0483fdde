import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import { createLog } from '#platform/log'
import { createTestDatabase, until } from '#platform/testing'
import { signDelivery } from '../../../adapters/forges/github/testing.ts'
import { type ExpectedCall, type ForgeDouble, openForgeDouble } from '../../../adapters/forges/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { reserveConnection } from './store/connections.ts'
import { aSource, type Called, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const lines: string[] = []
const testDatabase = await createTestDatabase()
const BASE_URL = 'http://127.0.0.1:8080'
const causes = await openCauses(
  testDatabase,
  { PROVIDER_HOSTS: 'github.com,127.0.0.1', BASE_URL },
  { log: createLog({ level: 'trace', pretty: false, destination: { write: (line) => void lines.push(line) } }) },
)
after(() => causes.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const editor = (await aMember(db, 'editor', 'editor', TEAM)).headers
const STORED = 'a-stored-token'
const GIVEN = 'a-given-token'
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'hooks', value: STORED })
const stored = { checkout_credential_ref: `secret:${TEAM}/hooks` }
const repository = 'acme/widgets'

let made = 0
/** Of the newest source. */
let payloadUrl = ''
beforeEach(() => {
  made += 1
  lines.length = 0
})

const PATH = '/api/v3/repos/acme/widgets/hooks'
const EVENTS = ['push', 'pull_request', 'issue_comment', 'pull_request_review_comment', 'release', 'repository']

interface Made {
  readonly id: string
  connect(body?: object, headers?: Record<string, string>): Promise<Called>
  check(body?: object, headers?: Record<string, string>): Promise<Called>
  disconnect(body?: object, headers?: Record<string, string>): Promise<Called>
  connections(headers?: Record<string, string>): Promise<Called>
}

async function aSourceAt(baseUrl: string | null, fields: object = stored): Promise<Made> {
  const document = aSource({ name: `source ${made}`, base_url: baseUrl, ...fields })
  const created = await causes.call('POST', '/v1/git-webhook-sources', document)
  assert.equal(created.status, 201, created.text)
  const id = String(created.body['id'])
  const path = `/v1/git-webhook-sources/${id}/connections`
  const post =
    (at: string) =>
    (body: object = { repository }, headers: Record<string, string> = editor) =>
      causes.call('POST', `${path}${at}`, body, { headers })
  payloadUrl = `${BASE_URL}/v1/git/webhooks/${id}`
  return {
    id,
    connect: post(''),
    check: post('/check'),
    disconnect: post('/disconnect'),
    connections: (headers = viewer) => causes.call('GET', path, undefined, { headers }),
  }
}

/** The calls of GitHub about the webhooks of acme/widgets; the address of the payload is read when they come. */
function callsOf(token: string = STORED) {
  const url = () => payloadUrl
  const headers = { authorization: `Bearer ${token}` }
  const hook = (fields: object = {}) => ({
    id: 7,
    active: true,
    events: EVENTS,
    config: { url: url(), content_type: 'json', insecure_ssl: '0', secret: '********' },
    ...fields,
  })
  const body = (secret: string, more: object = {}) => ({
    ...more,
    active: true,
    events: EVENTS,
    config: { url: url(), content_type: 'json', secret, insecure_ssl: '0' },
  })
  return {
    list: (...hooks: object[]): ExpectedCall => ({
      method: 'GET',
      path: `${PATH}?per_page=100`,
      headers,
      reply: () => ({ status: 200, body: hooks.map((fields) => hook(fields)) }),
    }),
    create: (reply?: ExpectedCall['reply']): ExpectedCall => ({
      method: 'POST',
      path: PATH,
      headers,
      get body() {
        return body(SECRET, { name: 'web' })
      },
      reply: reply ?? (() => ({ status: 201, body: hook() })),
    }),
    update: (secret: string): ExpectedCall => ({
      method: 'PATCH',
      path: `${PATH}/7`,
      headers,
      get body() {
        return body(secret)
      },
      reply: { status: 200, body: { id: 7 } },
    }),
    ping: (): ExpectedCall => ({ method: 'POST', path: `${PATH}/7/pings`, headers, reply: { status: 204 } }),
    remove: (): ExpectedCall => ({ method: 'DELETE', path: `${PATH}/7`, headers, reply: { status: 204 } }),
    hook,
  }
}

const actionsOf = async (id: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ action: string }>`
    select action from audit_records where resource_id = ${id} and action like '%connected' order by id`.execute(db)
  return rows.map(({ action }) => action)
}

async function keep(): Promise<void> {
  await causes.jobs.find(({ name }) => name === 'sources.keep-connections')?.run({}, new AbortController().signal)
}

describe('a repository', () => {
  test('is connected, stays pending until a delivery proves the webhook, and is active then', async (t) => {
    const calls = callsOf()
    const double = await openForgeDouble(t, [calls.list(), calls.create(), calls.ping()])
    const source = await aSourceAt(double.url)
    const { status, body, text } = await source.connect()
    assert.equal(status, 200, text)
    assert.deepEqual(
      [
        body['repository'],
        body['hook_id'],
        body['state'],
        body['done'],
        body['differences'],
        body['first_delivery_at'],
      ],
      [repository, '7', 'pending', 'created', [], null],
    )
    assert.match(String(body['reason']), /^No delivery has proved the webhook yet\./)
    assert.deepEqual(await actionsOf(source.id), ['webhook_source.connected'])

    const url = `/v1/git/webhooks/${source.id}`
    const ping = { zen: 'Keep it logically awesome.', hook_id: 7, repository: { full_name: 'ACME/Widgets', id: 1 } }
    // A delivery that proves nothing does not prove the webhook.
    await deliver(causes, url, signDelivery(ping, { secret: 'another', event: 'ping' }))
    assert.equal((await source.connections()).body[0]?.['state'], 'pending')
    assert.equal((await deliver(causes, url, signDelivery(ping, { secret: SECRET, event: 'ping' }))).status, 422)
    const [shown] = [(await source.connections()).body[0]]
    assert.equal(shown?.['state'], 'active')
    assert.notEqual(shown?.['first_delivery_at'], null)

    // The delivery goes one day; the proof stays.
    await keep()
    await sql`delete from deliveries where source_id = ${source.id}`.execute(db)
    assert.equal((await source.connections()).body[0]?.['state'], 'active')
  })

  test('is connected with a token that is given for the one call, and nothing shows token or secret', async (t) => {
    const calls = callsOf(GIVEN)
    const double = await openForgeDouble(t, [calls.list(), calls.create(), calls.ping()])
    const source = await aSourceAt(double.url, {})
    const answered = await source.connect({ repository, token: GIVEN })
    assert.equal(answered.status, 200, answered.text)
    const { rows } = await sql<{ text: string }>`
      select (select json_agg(a)::text from audit_records as a) || (select json_agg(c)::text from source_connections as c)
        || coalesce((select json_agg(k)::text from idempotency_keys as k), '') as text`.execute(db)
    const seen = [answered.text, (await source.connections()).text, lines.join(''), rows[0]?.text ?? '']
    for (const text of seen) assert.ok(!text.includes(GIVEN) && !text.includes(SECRET), text)
  })

  test('that is connected already is left alone, and is no second record', async (t) => {
    const calls = callsOf()
    const double = await openForgeDouble(t, [calls.list(), calls.create(), calls.ping(), calls.list({}), calls.ping()])
    const source = await aSourceAt(double.url)
    await source.connect()
    const again = await source.connect()
    assert.equal(again.status, 200, again.text)
    assert.deepEqual([again.body['done'], again.body['hook_id']], ['unchanged', '7'])
    assert.deepEqual(await actionsOf(source.id), ['webhook_source.connected'])
    assert.equal(JSON.parse((await source.connections()).text).length, 1)
  })

  test('that a killed process had connected is adopted, not connected twice', async (t) => {
    const calls = callsOf()
    const double = await openForgeDouble(t, [calls.list({}), calls.update(SECRET), calls.ping()])
    const source = await aSourceAt(double.url)
    const { body, text } = await source.connect()
    assert.deepEqual([body['done'], body['repaired'], body['hook_id']], ['repaired', ['secret'], '7'], text)
  })

  test('that another request connects at this moment is not connected twice', async (t) => {
    const double = await openForgeDouble(t, [])
    const source = await aSourceAt(double.url)
    const place = { sourceId: source.id, repository: 'ACME/widgets' }
    const now = new Date()
    const reserve = (seconds: number) =>
      testDatabase.database.transaction((tx) =>
        reserveConnection(tx, place, now, new Date(now.getTime() + seconds * 1000)),
      )
    assert.deepEqual(
      (await Promise.all([reserve(20), reserve(30), reserve(40)])).filter((held) => held !== undefined),
      [null],
    )
    const busy = await source.connect()
    assert.deepEqual(
      [busy.status, busy.body['code'], busy.headers['retry-after']],
      [409, 'source.connection_busy', '5'],
    )
    assert.deepEqual((await source.connections()).body, [])
  })

  test('that was connected before is held by one request at a time too', async (t) => {
    const double = await openForgeDouble(t, [])
    const place = { sourceId: (await aSourceAt(double.url)).id, repository }
    const [first, later] = [0, 60_000].map((ms) => new Date(Date.now() + ms))
    const { transaction } = testDatabase.database
    const reserve = (tx: Tx, now = new Date()) => reserveConnection(tx, place, now, new Date(now.getTime() + 20_000))
    assert.equal(await transaction((tx) => reserve(tx, first)), null)
    const { holds } = await transaction(async (tx) => {
      await sql`select from source_connections where source_id = ${place.sourceId} for update`.execute(tx)
      const waiting = [1, 2].map(() => transaction((other) => reserve(other, later)))
      await until(
        'both to wait for the row',
        async () =>
          (
            await sql`select from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
          ).rows.length,
        (count) => count === 2,
      )
      return { holds: waiting }
    })
    const held = await Promise.all(holds)
    assert.deepEqual(
      held.filter((each) => each !== undefined),
      [null],
    )
  })

  test('is connected where the process that was connecting it died', async (t) => {
    const calls = callsOf()
    const double = await openForgeDouble(t, [calls.list(), calls.create(), calls.ping()])
    const source = await aSourceAt(double.url)
    await sql`insert into source_connections (source_id, repository_key, repository, differences, held_until)
      values (${source.id}, 'acme/widgets', 'acme/widgets', '{}', now() - interval '1 second')`.execute(db)
    assert.equal((await source.connect()).status, 200)
  })

  test('is checked: what differs at the provider is told, stored, and repaired by the next connect', async (t) => {
    const calls = callsOf()
    const broken = { active: false, events: ['push'] }
    const double = await openForgeDouble(t, [
      calls.list(),
      calls.create(),
      calls.ping(),
      calls.list(broken),
      calls.list(broken),
      calls.update(SECRET),
      calls.ping(),
      calls.list(),
    ])
    const source = await aSourceAt(double.url)
    await source.connect()
    const checked = await source.check()
    assert.deepEqual([checked.status, checked.body['state']], [200, 'broken'], checked.text)
    assert.deepEqual(checked.body['differences'], ['disabled', 'events'])
    assert.match(String(checked.body['reason']), /at GitHub: it is disabled, it leaves out events/)
    assert.equal((await source.connections()).body[0]?.['state'], 'broken')
    const repaired = await source.connect()
    assert.deepEqual([repaired.body['done'], repaired.body['state']], ['repaired', 'pending'])
    const gone = await source.check()
    assert.deepEqual([gone.body['differences'], gone.body['hook_id']], [['missing'], null])
  })

  test('is disconnected: the webhook goes, and the connection with it', async (t) => {
    const calls = callsOf()
    const double = await openForgeDouble(t, [
      calls.list(),
      calls.create(),
      calls.ping(),
      calls.list({}),
      calls.remove(),
      calls.list(),
    ])
    const source = await aSourceAt(double.url)
    await source.connect()
    // A source that is disabled and admits the repository no more disconnects all the same.
    await causes.call('PATCH', `/v1/git-webhook-sources/${source.id}`, {
      enabled: false,
      repository_allowlist: ['acme/else'],
    })
    const { status, body, text } = await source.disconnect()
    assert.deepEqual([status, body], [200, { repository, removed: 1 }], text)
    assert.deepEqual((await source.connections()).body, [])
    assert.deepEqual(await actionsOf(source.id), ['webhook_source.connected', 'webhook_source.disconnected'])
    assert.equal((await source.check()).status, 404)
    await causes.call('PATCH', `/v1/git-webhook-sources/${source.id}`, { repository_allowlist: ['acme/*'] })
    assert.deepEqual((await source.disconnect()).body, { repository, removed: 0 })
  })
})

describe('when the secret of a source changes', () => {
  async function rotate(value: string): Promise<void> {
    const { rows } = await sql<{ id: string }>`select id from secrets where name = ${`own-${made}`}`.execute(db)
    const answered = await causes.call('PUT', `/v1/secrets/${rows[0]?.id}`, { value })
    assert.equal(answered.status, 200, answered.text)
  }

  test('the webhook is given the new one, once', async (t) => {
    const calls = callsOf()
    const double = await openForgeDouble(t, [
      calls.list(),
      calls.create(),
      calls.ping(),
      calls.list({}),
      calls.update('the-next-secret'),
      calls.ping(),
    ])
    await aSecret(causes.kit, db, { teamPath: TEAM, name: `own-${made}`, value: SECRET })
    const source = await aSourceAt(double.url, { ...stored, credential_ref: `secret:${TEAM}/own-${made}` })
    await source.connect()
    await rotate('the-next-secret')
    await keep()
    await keep()
    assert.deepEqual(await actionsOf(source.id), ['webhook_source.connected', 'webhook_source.connected'])
    assert.ok(!lines.join('').includes('the-next-secret'))
  })

  test('without a stored credential the connection says that it needs a token', async (t) => {
    const calls = callsOf(GIVEN)
    const double = await openForgeDouble(t, [calls.list(), calls.create(), calls.ping()])
    await aSecret(causes.kit, db, { teamPath: TEAM, name: `own-${made}`, value: SECRET })
    const source = await aSourceAt(double.url, { credential_ref: `secret:${TEAM}/own-${made}` })
    await source.connect({ repository, token: GIVEN })
    await rotate('the-next-secret')
    await keep()
    const [shown] = [(await source.connections()).body[0]]
    assert.equal(shown?.['state'], 'broken')
    assert.match(String(shown?.['reason']), /new version.*Connect again with a token\./)
  })
})

describe('a connection is refused', () => {
  const double = (
    t: Parameters<typeof openForgeDouble>[0],
    calls: readonly ExpectedCall[] = [],
  ): Promise<ForgeDouble> => openForgeDouble(t, calls)

  test('to callers who may not change the source, and without a hint to those who do not see it', async (t) => {
    const source = await aSourceAt((await double(t)).url)
    for (const ask of [source.connect, source.check, source.disconnect]) {
      assert.equal((await ask({ repository }, viewer)).status, 403)
      const hidden = await ask({ repository }, stranger)
      assert.deepEqual([hidden.status, hidden.body['detail']], [404, 'There is no source of this id.'])
    }
    assert.equal((await source.connections(stranger)).status, 404)
  })

  test('with all that stands against it at once, each with its field, before anybody is called', async (t) => {
    const source = await aSourceAt((await double(t)).url, {})
    await causes.call('PATCH', `/v1/git-webhook-sources/${source.id}`, { enabled: false })
    const { status, body } = await source.connect({ repository: 'evil/widgets' })
    assert.deepEqual([status, body['code']], [400, 'source.not_connectable'])
    const fields = JSON.parse(JSON.stringify(body['errors'])).map(({ field }: { field: string }) => field)
    assert.deepEqual(fields, ['repository', 'enabled', 'token'])
  })

  test('for a sender without an API, and where GitHub cannot reach this control plane', async () => {
    const generic = await aSourceAt(null, { provider: 'generic', name: `generic ${made}` })
    const refused = await generic.connect({ repository, token: GIVEN })
    assert.equal(refused.status, 400)
    assert.match(String(refused.body['detail']), /has no API that makes webhooks: enter the payload URL/)
    const github = await aSourceAt(null)
    const near = await github.connect()
    assert.equal(near.status, 400)
    assert.match(
      String(near.body['detail']),
      /payload_url: is an address of this machine only, which GitHub does not reach/,
    )
  })

  test('for names that would lead elsewhere in the API, and such as cannot be stored', async (t) => {
    const source = await aSourceAt((await double(t)).url, { ...stored, repository_allowlist: ['**'] })
    for (const name of ['acme/..', './acme', 'acme', 'acme/a\u0000b', 'acme/\ud800', 'a//b', '/a']) {
      const { status, text } = await source.connect({ repository: name })
      assert.equal(status, 400, `${name}: ${text}`)
    }
  })

  for (const [provided, status, code] of [
    [401, 400, 'source.provider_refused'],
    [403, 400, 'source.provider_refused'],
    [404, 400, 'source.provider_refused'],
    [307, 400, 'source.provider_refused'],
    [429, 502, 'repository.provider_unreachable'],
    [500, 502, 'repository.provider_unreachable'],
  ] as const) {
    test(`${status} where the provider answers ${provided}; nothing is left behind`, async (t) => {
      const list = callsOf().list()
      const { url } = await double(t, [{ ...list, reply: { status: provided, headers: { location: '/x' } } }])
      const source = await aSourceAt(url)
      const answered = await source.connect()
      assert.deepEqual([answered.status, answered.body['code']], [status, code], answered.text)
      if (status === 400) assert.match(String(answered.body['detail']), /The credential needs .*admin:repo_hook/)
      assert.deepEqual((await source.connections()).body, [])
      const { rows } = await sql`select 1 from source_connections where source_id = ${source.id}`.execute(db)
      assert.deepEqual([rows, await actionsOf(source.id)], [[], []])
    })
  }
})
