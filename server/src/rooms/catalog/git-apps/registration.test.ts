import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { platformProblem } from '#platform/problems'
import { createTestClock, startOutage, until } from '#platform/testing'
import { aUser } from '#rooms/foundation/access/testing'
import { aSecret } from '#rooms/foundation/secrets/testing'
import { aSession } from '#rooms/foundation/sessions/testing'
import { callbackPath } from './rules/callback.ts'
import { APPS, aKey, openGitApps, WEBHOOK_SECRET } from './testing.ts'

// An app is registered by way of the browser: every answer of the start, and what attacks the way back.

const clock = createTestClock(new Date())
const room = await openGitApps({ clock })
const { github, send, start, back, db } = room
const CALLBACK = callbackPath('forge', 'register')
const conversions = () => github.calls.filter((call) => call.includes('/conversions')).length
const states = async (): Promise<string> => (await start({ team_path: 'acme' })).body.state
const fieldsOf = (body: { errors?: { field: string }[] }) => body.errors?.map(({ field }) => field)

beforeEach(async () => {
  await db.deleteFrom('git_apps').execute()
  await db.deleteFrom('webhook_sources').execute()
  github.calls.length = 0
  github.codes.clear()
  github.interfere = () => undefined
  delete room.fail.source
  await clock.advance(60_000)
})

describe('the start of a registration', () => {
  test('answers where to post which manifest', async () => {
    const { status, body, headers } = await start({ permissions: undefined })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(body.url, `${github.url}/organizations/acme/settings/apps/new?state=${body.state}`)
    assert.equal(Buffer.from(body.state, 'base64url').length, 32)
    const { manifest } = body
    assert.equal(manifest.name, 'Signalbox acme')
    assert.equal(manifest.public, false)
    assert.equal(manifest.redirect_url, `http://127.0.0.1:9999${CALLBACK}`)
    assert.equal(manifest.setup_url, 'http://127.0.0.1:9999/v1/git-apps/forge/install/callback')
    assert.match(manifest.hook_attributes.url, /^http:\/\/127\.0\.0\.1:9999\/v1\/git\/webhooks\/[0-9a-f-]{36}$/)
    assert.equal(manifest.default_permissions.checks, 'write')
    assert.ok(manifest.default_events.includes('push'))
    const stored = await db.selectFrom('git_app_flows').selectAll().execute()
    assert.doesNotMatch(JSON.stringify(stored), new RegExp(body.state), 'the state itself is stored nowhere')
  })

  test('wants an organization, in either spelling', async () => {
    const missing = await start({ organization: undefined })
    assert.deepEqual([missing.status, fieldsOf(missing.body)], [400, ['organization']])
    assert.equal((await start({ organization: undefined, organisation: 'acme' })).status, 200)
    for (const organization of ['../evil', 'a b', '-a', 'a?x=1']) {
      assert.equal((await start({ organization })).status, 400, organization)
    }
  })

  test('takes a callback alone that is of this service', async () => {
    const good = [
      `http://127.0.0.1:9999${CALLBACK}`,
      'http://127.0.0.1:9999/',
      `http://127.0.0.1:9999${callbackPath('github', 'register')}`,
    ]
    for (const url of good) assert.equal((await start({ callback_url: url })).status, 200, url)
    const wrong = [
      '',
      'nonsense',
      'ftp://127.0.0.1',
      `http://127.0.0.1:9999${CALLBACK}?next=/`,
      'http://127.0.0.1:9999/elsewhere',
      `http://127.0.0.1:9999/v1/git-apps/gitea/register/callback`,
      `http://me:secret@127.0.0.1:9999${CALLBACK}`,
      `http://127.0.0.1:9999${CALLBACK}#a`,
    ]
    for (const url of wrong) {
      const { status, body } = await start({ callback_url: url })
      assert.deepEqual([status, fieldsOf(body)], [400, ['callback_url']], url)
    }
  })

  test('refuses a callback that a provider on the internet cannot reach', async () => {
    const hosts = [
      'localhost',
      'a.localhost',
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '10.1.2.3',
      '192.168.0.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[fd00::1]',
      '[fe80::1]',
      'inside.example.com',
    ]
    for (const host of hosts) {
      const { status, body } = await start({ base_url: null, callback_url: `https://${host}` })
      assert.deepEqual([status, fieldsOf(body)], [400, ['callback_url']], host)
    }
    assert.equal((await start({ base_url: null, callback_url: 'https://ci.example.com' })).status, 200)
    const plain = await start({ base_url: null, callback_url: 'http://ci.example.com' })
    assert.equal(plain.status, 400, 'a code is not sent over plain http')
  })

  test('refuses an address of a provider that no operator listed, an unknown team, and who may not', async () => {
    assert.deepEqual(fieldsOf((await start({ base_url: 'https://evil.example' })).body), ['base_url'])
    assert.deepEqual(fieldsOf((await start({ team_path: 'nobody' })).body), ['team_path'])
    assert.equal((await send('POST', '/register/start', { organization: 'acme' }, room.viewer)).status, 403)
    assert.equal(
      (await room.http.app.inject({ method: 'POST', url: `${APPS}/register/start`, payload: {} })).statusCode,
      401,
    )
    const gitea = await room.http.app.inject({
      method: 'POST',
      url: '/v1/git-apps/gitea/register/start',
      payload: { organization: 'acme' },
      headers: room.root.headers,
    })
    assert.equal(gitea.statusCode, 400)
  })

  test('is refused once there is an app', async () => {
    await room.register()
    const { status, body } = await start()
    assert.deepEqual([status, body.code], [412, 'git_app.already_registered'])
  })
})

describe('the page with the form', () => {
  test('posts the manifest to the provider and nowhere else, without a script', async () => {
    const { body } = await start({ name: `"><script>` })
    const answer = await room.http.app.inject(new URL(body.form_url).pathname + new URL(body.form_url).search)
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /text\/html/)
    assert.match(
      String(answer.headers['content-security-policy']),
      new RegExp(`default-src 'none'; form-action ${github.url};`),
    )
    assert.doesNotMatch(answer.body, /<script/)
    assert.match(answer.body, /name="manifest" value="\{&quot;name&quot;:&quot;\\&quot;&gt;&lt;script&gt;/)
  })

  test('is not there for a state that is unknown or used', async () => {
    const state = await states()
    const form = (value: string) => room.http.app.inject(`${APPS}/register/form?state=${value}`)
    assert.equal((await form('unknown')).statusCode, 404)
    assert.equal((await form(state)).statusCode, 200)
    await back(CALLBACK, { code: 'none', state })
    assert.equal((await form(state)).statusCode, 404)
    assert.equal((await room.http.app.inject(`${APPS}/register/form`)).statusCode, 400)
  })
})

describe('the way back', () => {
  test('stores the app, its keys and its source at once, and shows no secret anywhere', async () => {
    const state = await states()
    github.codes.add('one')
    const { place, headers } = await back(CALLBACK, { code: 'one', state })
    assert.equal(place, '#/system/git-apps?outcome=registered&provider=github')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'no-store')
    const { body, text } = await send('GET', '')
    assert.deepEqual([body.app_id, body.slug, body.account, body.team_path], ['7', 'signalbox-acme', 'acme', 'acme'])
    assert.deepEqual([body.has_private_key, body.webhook_configured], [true, true])
    assert.equal(body.source_id, room.sources.at(-1)?.id)
    assert.match(body.webhook_url, new RegExp(`/v1/git/webhooks/${body.source_id}$`))
    const audit = await db.selectFrom('audit_records').selectAll().execute()
    const keys = await db.selectFrom('git_app_keys').selectAll().execute()
    const flows = await db.selectFrom('git_app_flows').selectAll().execute()
    assert.ok(audit.some(({ action }) => action === 'git_app.registered'))
    for (const told of [
      text,
      JSON.stringify(audit),
      JSON.stringify(keys.map(({ sealed }) => sealed.toString())),
      JSON.stringify(flows),
    ]) {
      for (const secret of [WEBHOOK_SECRET, 'PRIVATE KEY', 'client-secret'])
        assert.equal(told.includes(secret), false, secret)
    }
  })

  test('spends a state once: of two at once one asks the provider', async () => {
    const state = await states()
    github.codes.add('one').add('two')
    const held = Promise.withResolvers<undefined>()
    github.interfere = (call) => (call.includes('/conversions') ? held.promise : undefined)
    const both = [back(CALLBACK, { code: 'one', state }), back(CALLBACK, { code: 'two', state })]
    await until('the first call', conversions, (count) => count === 1)
    held.resolve(undefined)
    const places = (await Promise.all(both)).map(({ place }) => place).toSorted()
    assert.deepEqual(places, [
      '#/system/git-apps?error=state_mismatch',
      '#/system/git-apps?outcome=registered&provider=github',
    ])
    assert.equal(conversions(), 1)
    assert.equal((await back(CALLBACK, { code: 'two', state })).place, '#/system/git-apps?error=state_mismatch')
    assert.equal(conversions(), 1)
  })

  test('leads to the page with an error of the list, whatever came', async () => {
    const error = async (query: Record<string, string>, path = CALLBACK) =>
      (await back(path, query)).place.replace('#/system/git-apps?error=', '')
    assert.equal(await error({}), 'state_mismatch')
    assert.equal(await error({ code: 'x', state: 'forged' }), 'state_mismatch')
    assert.equal(await error({ state: await states() }), 'denied')
    assert.equal(await error({ code: 'unknown', state: await states() }), 'exchange_failed')
    assert.equal(await error({ code: 'x', state: await states() }, callbackPath('gitea', 'register')), 'state_mismatch')
    assert.equal(
      await error({ code: 'x', state: await states(), installation_id: '1' }, callbackPath('forge', 'install')),
      'not_registered',
    )
    const old = await states()
    await clock.advance(600_000)
    assert.equal(await error({ code: 'x', state: old }), 'expired')
    github.interfere = () => 'reset'
    assert.equal(await error({ code: 'x', state: await states() }), 'provider_unreachable')
    github.interfere = () => ({ status: 422, body: { message: 'evil text of the provider' } })
    assert.equal(await error({ code: 'x', state: await states() }), 'exchange_failed')
    github.interfere = () => ({ status: 201, body: { id: 7, pem: 'no key' } })
    assert.equal(await error({ code: 'x', state: await states() }), 'exchange_failed')
    github.interfere = () => undefined
    const late = await states()
    await room.register()
    assert.equal(await error({ code: 'x', state: late }), 'already_registered')
    assert.equal((await db.selectFrom('git_apps').selectAll().execute()).length, 1)
  })

  test('begun from a session it counts for that browser alone', async () => {
    const userId = await aUser(db, `admin-${conversions()}`)
    await db
      .insertInto('grants')
      .values({
        id: room.kit.ids.next(),
        subject_kind: 'user',
        user_id: userId,
        group_id: null,
        service_account_id: null,
        role: 'administrator',
        team_path: '/',
        created_at: new Date(),
      })
      .execute()
    const at = clock.now()
    const mine = await aSession(db, {
      userId,
      createdAt: at,
      lastUsedAt: at,
      expiresAt: new Date(at.getTime() + 86_400_000),
    })
    const other = await aSession(db, {
      userId,
      createdAt: at,
      lastUsedAt: at,
      expiresAt: new Date(at.getTime() + 86_400_000),
    })
    const begun = await room.http.app.inject({
      method: 'POST',
      url: `${APPS}/register/start`,
      payload: { organization: 'acme', base_url: github.url, callback_url: 'http://127.0.0.1:9999' },
      headers: { cookie: mine.cookie, 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(begun.statusCode, 200, begun.body)
    const { state } = begun.json()
    github.codes.add('one')
    for (const cookie of ['', other.cookie, 'session=forged']) {
      assert.equal(
        (await back(CALLBACK, { code: 'one', state }, cookie)).place,
        '#/system/git-apps?error=state_mismatch',
      )
    }
    assert.equal(conversions(), 0, 'another browser spends nothing')
    assert.match((await back(CALLBACK, { code: 'one', state }, mine.cookie)).place, /outcome=registered/)
  })

  test('does nothing for a starter who may no longer', async () => {
    const state = await states()
    await db.updateTable('git_app_flows').set({ starter_id: room.viewer.id }).execute()
    assert.equal((await back(CALLBACK, { code: 'one', state })).place, '#/system/git-apps?error=denied')
    assert.equal(conversions(), 0)
  })

  test('keeps the app where its source cannot be made', async () => {
    room.fail.source = platformProblem('invalid_request', 'The name is taken.')
    const state = await states()
    github.codes.add('one')
    assert.match((await back(CALLBACK, { code: 'one', state })).place, /outcome=registered/)
    const { body } = await send('GET', '')
    assert.deepEqual([body.has_private_key, body.webhook_configured, body.source_id], [true, false, null])
    delete room.fail.source
    const put = await send('PUT', '', { app_id: '7' })
    assert.equal(put.status, 200, put.text)
    assert.equal(put.body.webhook_configured, true, 'the next PUT makes the source')
  })

  test('keeps the key while the database is away for a moment', async () => {
    const state = await states()
    github.codes.add('one')
    let outage: Awaited<ReturnType<typeof startOutage>> | undefined
    github.interfere = async (call) => {
      if (call.includes('/conversions')) outage = await startOutage(room.databaseUrl)
      return undefined
    }
    const coming = back(CALLBACK, { code: 'one', state })
    await until(
      'the outage',
      () => outage,
      (value) => value !== undefined,
    )
    await clock.advance(1000)
    await outage?.end()
    const ticking = setInterval(() => void clock.advance(1000), 50)
    const { place } = await coming
    clearInterval(ticking)
    assert.match(place, /outcome=registered/)
    assert.equal(conversions(), 1)
  })
})

describe('the settings', () => {
  test('are an empty document without an app', async () => {
    const { status, body } = await send('GET', '')
    assert.deepEqual([status, body], [200, {}])
    assert.equal((await send('GET', '', undefined, room.viewer)).status, 403)
    assert.equal((await send('DELETE', '')).status, 404)
  })

  test('of an app made by hand: the key is checked, and never told', async () => {
    const private_key = github.keys[0] ?? ''
    const missing = await send('PUT', '', { private_key, base_url: github.url })
    assert.deepEqual([missing.status, fieldsOf(missing.body)], [400, ['app_id']])
    for (const pem of [
      'no key',
      private_key.slice(40),
      '-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----',
    ]) {
      const { status, body } = await send('PUT', '', { app_id: '7', private_key: pem, base_url: github.url })
      assert.deepEqual([status, fieldsOf(body)], [400, ['private_key']])
    }
    const put = await send('PUT', '', {
      app_id: '7',
      slug: 's',
      private_key,
      base_url: github.url,
      webhook_secret: WEBHOOK_SECRET,
      team_path: 'acme',
    })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual([put.body.has_private_key, put.body.webhook_configured, put.body.slug], [true, true, 's'])
    assert.equal(put.text.includes('PRIVATE KEY') || put.text.includes(WEBHOOK_SECRET), false)
    assert.equal((await send('PUT', '', { app_id: '7' }, room.viewer)).status, 403)
    await room.work('git_apps.note-app')
    assert.equal((await send('GET', '')).body.account, 'acme', 'the provider told the rest')
    const gone = await send('DELETE', '')
    assert.equal(gone.status, 204)
    assert.deepEqual((await send('GET', '')).body, {})
    assert.equal((await db.selectFrom('git_app_keys').selectAll().execute()).length, 0)
  })

  test('hold two keys while one is rotated, and no third', async () => {
    await room.register()
    const fingerprints = async (): Promise<string[]> =>
      (await send('GET', '')).body.keys
        .filter((key: { kind: string }) => key.kind === 'private_key')
        .map((key: { fingerprint: string }) => key.fingerprint)
    const [first] = await fingerprints()
    const second = aKey()
    await send('PUT', '', { app_id: '7', private_key: second })
    assert.equal((await fingerprints()).length, 2)
    assert.equal((await fingerprints())[1], first)
    await send('PUT', '', { app_id: '7', private_key: second })
    assert.equal((await fingerprints()).length, 2, 'the same key again changes nothing')
    await send('PUT', '', { app_id: '7', private_key: aKey() })
    assert.equal((await fingerprints()).includes(first ?? ''), false, 'the oldest is gone')
    await send('PUT', '', { app_id: '7', private_key: second, keep_previous: false })
    assert.equal((await fingerprints()).length, 1)
  })

  test('of a connection by a token name a stored one', async () => {
    const put = (payload: object) =>
      room.http.app.inject({ method: 'PUT', url: '/v1/git-apps/gitea', payload, headers: room.root.headers })
    const usual = { app_id: 'bot', base_url: 'https://gitea.com', team_path: 'acme' }
    assert.deepEqual(fieldsOf((await put(usual)).json()), ['credential_ref'])
    assert.deepEqual(fieldsOf((await put({ ...usual, credential_ref: 'secret:acme/none' })).json()), ['credential_ref'])
    const keyed = await put({ ...usual, credential_ref: 'secret:acme/none', private_key: aKey() })
    assert.deepEqual(fieldsOf(keyed.json()), ['private_key', 'credential_ref'])
    await aSecret(room.kit, db, { teamPath: 'acme', name: 'gitea', value: 'a-token' })
    const good = await put({ ...usual, credential_ref: 'secret:acme/gitea' })
    assert.deepEqual([good.statusCode, good.json().credential_ref], [200, 'secret:acme/gitea'], good.body)
    assert.equal(good.json().has_private_key, false)
    assert.equal((await put({ ...usual, base_url: 'http://gitea.com' })).statusCode, 400)
  })
})
