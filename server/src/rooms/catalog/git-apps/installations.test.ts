import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { createTestClock } from '#platform/testing'
import { callbackPath } from './rules/callback.ts'
import { APPS, anInstallation, openGitApps } from './testing.ts'

// Installations over HTTP: what a browser brings back, what the provider says of it, and what deliveries tell.

const clock = createTestClock(new Date())
const room = await openGitApps({ clock })
const { github, send, back, db, door } = room
const CALLBACK = callbackPath('forge', 'install')
const REFRESH = 'git_apps.refresh-installation'

const begin = async (): Promise<string> => (await send('POST', '/install/start')).body.state
const post = (id: unknown) => send('POST', '/installations', { installation_id: id })
const show = async (id: string) => (await send('GET', `/installations/${id}`)).body
const sourceId = async (): Promise<string> => (await send('GET', '')).body.source_id
const deliver = async (eventType: string, action: string, more: object = {}, id = 42) => {
  const payload = { action, installation: { id, account: { login: 'acme' } }, ...more }
  const from = await sourceId()
  await room.database.transaction((tx) => door.hearDelivery(tx, from, { eventType, action, payload }))
}
const namesOf = async () =>
  (await db.selectFrom('git_installation_repositories').select('full_name').orderBy('full_name').execute()).map(
    (row) => row.full_name,
  )

beforeEach(async () => {
  await db.deleteFrom('git_apps').execute()
  await db.deleteFrom('webhook_sources').execute()
  github.interfere = () => undefined
  github.installations.clear()
  github.installations.set('42', anInstallation('acme', ['web', 'api', 'docs']))
  github.skewMs = 0
  github.delivered = 202
  await clock.advance(60_000)
  await room.register()
  await room.work(REFRESH)
  github.calls.length = 0
})

describe('the way through the browser', () => {
  test('records an installation that the provider has shown to the app, for the team of the app', async () => {
    const begun = await send('POST', '/install/start')
    assert.equal(begun.body.url, `${github.url}/github-apps/signalbox-acme/installations/new?state=${begun.body.state}`)
    const { place } = await back(CALLBACK, { installation_id: '42', setup_action: 'install', state: begun.body.state })
    assert.equal(place, '#/system/git-apps?outcome=installed&provider=github')
    const found = await show('42')
    assert.deepEqual(
      [found.status, found.account, found.teams],
      ['active', 'acme', [{ team_path: 'acme', repositories: ['**'] }]],
    )
    await room.work(REFRESH)
    assert.equal((await show('42')).repository_count, 3)
    const audit = await db.selectFrom('audit_records').select('action').execute()
    assert.ok(audit.some(({ action }) => action === 'git_installation.recorded'))
  })

  test('leads to the page with an error of the list, and stores nothing', async () => {
    const error = async (query: Record<string, string>) =>
      (await back(CALLBACK, query)).place.replace('#/system/git-apps?error=', '')
    assert.equal(await error({ installation_id: '42' }), 'state_mismatch')
    assert.equal(await error({ installation_id: '42', state: 'forged' }), 'state_mismatch')
    assert.equal(await error({ state: await begin() }), 'installation_unknown')
    assert.equal(await error({ installation_id: '../1', state: await begin() }), 'installation_unknown')
    assert.equal(await error({ installation_id: '666', state: await begin() }), 'installation_unknown', 'a spoofed id')
    assert.equal(await error({ setup_action: 'request', state: await begin() }), 'pending_approval')
    assert.equal(await error({ setup_action: 'request' }), 'pending_approval')
    const registering = await db.selectFrom('git_app_flows').select('flow').where('flow', '=', 'register').execute()
    assert.ok(registering.length > 0)
    github.interfere = () => ({ status: 502 })
    assert.equal(await error({ installation_id: '42', state: await begin() }), 'provider_unreachable')
    github.interfere = () => undefined
    const spent = await begin()
    github.installations.set('43', anInstallation('other', []))
    const both = await Promise.all([
      back(CALLBACK, { installation_id: '42', state: spent }),
      back(CALLBACK, { installation_id: '43', state: spent }),
    ])
    assert.equal(both.filter(({ place }) => place.includes('outcome=installed')).length, 1, 'a state counts once')
    assert.equal((await send('GET', '/installations')).body.length, 1)
    await send('DELETE', '')
    assert.equal(await error({ installation_id: '42', state: await begin().then(String) }), 'not_registered')
  })

  test('without a state only asks again for what is recorded', async () => {
    assert.match((await back(CALLBACK, { installation_id: '42', setup_action: 'update' })).place, /state_mismatch/)
    await post('42')
    await room.work(REFRESH)
    assert.match((await back(CALLBACK, { installation_id: '42', setup_action: 'update' })).place, /outcome=updated/)
    assert.equal((await room.work(REFRESH)).length, 1)
  })

  test('needs an app', async () => {
    await send('DELETE', '')
    const { status, body } = await send('POST', '/install/start')
    assert.deepEqual([status, body.code], [412, 'git_app.not_registered'])
    assert.equal((await send('POST', '/install/start', undefined, room.viewer)).status, 403)
  })
})

describe('an installation by its id', () => {
  test('is recorded also where the provider says no or nothing', async () => {
    const made = await post(42)
    assert.deepEqual([made.status, made.body.status, made.body.account], [201, 'active', 'acme'])
    const unknown = await post('99')
    assert.deepEqual([unknown.status, unknown.body.status, unknown.body.account], [201, 'unverified', null])
    github.interfere = () => 'reset'
    const down = await post('100')
    assert.deepEqual([down.status, down.body.status], [201, 'unverified'])
    assert.equal((await post('42')).body.status, 'active', 'a provider that is away takes nothing back')
    for (const id of [undefined, '', 'abc', '-1', 0, '1/2', '9'.repeat(30)]) {
      const { status, body } = await post(id)
      assert.deepEqual([status, body.errors?.[0]?.field], [400, 'installation_id'], String(id))
    }
    assert.equal((await send('POST', '/installations', { installation_id: '1' }, room.viewer)).status, 403)
    const page = await send('GET', '/installations?limit=2')
    assert.deepEqual(
      page.body.map((one: { installation_id: string }) => one.installation_id),
      ['100', '99'],
    )
    assert.match(String(page.headers['link']), /rel="next"/)
  })

  test('is shown, forgotten, and 404 then', async () => {
    await post('42')
    assert.equal((await send('GET', '/installations/42')).status, 200)
    assert.equal((await send('GET', '/installations/42', undefined, room.viewer)).status, 403)
    assert.equal((await send('DELETE', '/installations/not-a-number')).status, 400)
    assert.equal((await send('DELETE', '/installations/42', undefined, room.viewer)).status, 403)
    assert.equal((await send('DELETE', '/installations/42')).status, 204)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/verify'],
      ['POST', '/refresh'],
      ['GET', '/repositories'],
    ] as const) {
      assert.equal((await send(method, `/installations/42${path}`)).status, 404, `${method} ${path}`)
    }
    assert.equal((await send('PUT', '/installations/42/teams', { teams: [] })).status, 404)
    await deliver('installation_repositories', 'added')
    await room.work(REFRESH)
    assert.equal((await send('GET', '/installations/42')).status, 404, 'a delivery does not bring it back')
  })

  test('is verified by a token', async () => {
    await post('42')
    const good = await send('POST', '/installations/42/verify')
    assert.deepEqual([good.status, good.body.ok, good.body.status], [200, true, 'active'])
    assert.equal((await show('42')).last_verified_at, good.body.verified_at)
    const found = github.installations.get('42')
    assert.ok(found)
    found.suspended = true
    const suspended = await send('POST', '/installations/42/verify')
    assert.deepEqual([suspended.status, suspended.body.ok, suspended.body.status], [200, false, 'suspended'])
    assert.match(suspended.body.reason, /unsuspend/)
    found.suspended = false
    github.installations.delete('42')
    const removed = await send('POST', '/installations/42/verify')
    assert.deepEqual([removed.body.ok, removed.body.status], [false, 'removed'])
    const [key = ''] = github.keys.splice(0)
    const refused = await send('POST', '/installations/42/verify')
    assert.deepEqual([refused.status, refused.body.ok], [200, false])
    assert.match(refused.body.reason, /refused the private key/)
    github.keys.push(key)
    github.interfere = () => ({ status: 502 })
    const notRun = await send('POST', '/installations/42/verify')
    assert.deepEqual([notRun.status, notRun.body.code], [500, 'git_app.verification_not_run'])
    await db.deleteFrom('git_app_keys').where('kind', '=', 'private_key').execute()
    const keyless = await send('POST', '/installations/42/verify')
    assert.deepEqual([keyless.status, keyless.body.code], [500, 'git_app.verification_not_run'])
    assert.equal((await send('POST', '/installations/42/verify', undefined, room.viewer)).status, 403)
  })

  test('is refreshed, all pages, and what did not change is not asked for again', async () => {
    github.installations.set(
      '42',
      anInstallation(
        'acme',
        Array.from({ length: 250 }, (_, n) => `r${n}`),
      ),
    )
    await post('42')
    const first = await send('POST', '/installations/42/refresh')
    assert.deepEqual(
      [first.status, first.body.repository_count, first.body.added, first.body.removed],
      [200, 250, 250, 0],
      first.text,
    )
    const list = await send('GET', '/installations/42/repositories')
    assert.deepEqual([list.status, list.body.length], [200, 250])
    assert.deepEqual(list.body[0], { full_name: 'acme/r0', private: true, default_branch: 'main' })
    github.installations.set('42', anInstallation('acme', ['r0', 'renamed']))
    const second = await send('POST', '/installations/42/refresh')
    assert.deepEqual([second.body.repository_count, second.body.removed], [2, 248])
    assert.deepEqual(await namesOf(), ['acme/r0', 'acme/renamed'])
    github.installations.delete('42')
    const gone = await send('POST', '/installations/42/refresh')
    assert.deepEqual(
      [gone.status, gone.body.code, (await show('42')).status],
      [502, 'git_app.provider_failed', 'removed'],
    )
  })

  test('that the provider cannot show is 502 with what it said', async () => {
    await post('42')
    github.interfere = () => ({ status: 429, headers: { 'retry-after': '30' } })
    const limited = await send('GET', '/installations/42/repositories')
    assert.deepEqual([limited.status, limited.headers['retry-after']], [502, '30'], limited.text)
    github.interfere = () => 'reset'
    assert.equal((await send('POST', '/installations/42/refresh')).status, 502)
    assert.equal((await show('42')).status, 'active', 'a failure changes nothing')
    await db.deleteFrom('git_app_keys').where('kind', '=', 'private_key').execute()
    const unusable = await send('POST', '/installations/42/refresh')
    assert.deepEqual([unusable.status, unusable.body.code], [500, 'git_app.unusable'])
  })

  test('is outdated when its account has not accepted what the app asks for', async () => {
    const found = github.installations.get('42')
    assert.ok(found)
    delete found.permissions['checks']
    await post('42')
    const shown = await show('42')
    assert.equal(shown.status, 'permissions_outdated')
    assert.deepEqual(
      shown.missing_permissions.map((one: { permission: string }) => one.permission),
      ['checks'],
    )
    assert.match(shown.reason, /checks: write/)
  })
})

describe('teams of an installation', () => {
  test('see its repositories by their patterns', async () => {
    await post('42')
    await room.work(REFRESH)
    const put = (teams: object[]) => send('PUT', '/installations/42/teams', { teams })
    assert.equal((await put([{ team_path: 'acme/web', repositories: ['acme/w*', 'acme/docs'] }])).status, 200)
    const of = (team: string, more = '') => send('GET', `/repositories?team_path=${team}${more}`)
    const seen = await of('acme/web')
    assert.deepEqual(
      seen.body.map((one: { full_name: string }) => one.full_name),
      ['acme/docs', 'acme/web'],
    )
    assert.deepEqual((await of('acme')).body, [], 'a team above may not use what a team below may')
    const page = await of('acme/web', '&limit=1')
    assert.deepEqual([page.body.length, page.body[0].full_name], [1, 'acme/docs'])
    const next = /<([^>]+)>/.exec(String(page.headers['link']))?.[1] ?? ''
    assert.equal((await send('GET', next.replace(APPS, ''))).body[0].full_name, 'acme/web')
    assert.equal((await send('GET', '/repositories?team_path=acme/web', undefined, room.viewer)).status, 200)
    assert.equal((await send('GET', '/repositories?team_path=other', undefined, room.viewer)).status, 403)
    assert.equal((await put([{ team_path: 'nobody' }])).status, 400)
    assert.equal((await put([{ team_path: 'acme' }, { team_path: 'acme' }])).status, 400)
    assert.equal((await put([{ team_path: 'acme', repositories: ['!acme/web'] }])).status, 400)
    assert.equal((await send('PUT', '/installations/42/teams', { teams: [] }, room.viewer)).status, 403)
  })
})

describe('deliveries', () => {
  test('suspend at once, and the provider then says what is true, also out of order', async () => {
    await post('42')
    await room.work(REFRESH)
    await deliver('installation', 'suspend')
    assert.equal((await show('42')).status, 'suspended')
    await deliver('installation', 'suspend')
    // The suspension was told late: the provider has ended it.
    await room.work(REFRESH)
    assert.equal((await show('42')).status, 'active')
  })

  test('delete for ever, whatever comes later', async () => {
    await post('42')
    await room.work(REFRESH)
    await deliver('installation', 'deleted')
    assert.equal((await show('42')).status, 'removed')
    for (const action of ['created', 'unsuspend', 'new_permissions_accepted', 'suspend'])
      await deliver('installation', action)
    await room.work(REFRESH)
    assert.equal((await show('42')).status, 'removed')
    assert.equal((await send('POST', '/installations/42/verify')).body.ok, false)
    const again = await post('42')
    assert.deepEqual([again.status, again.body.status], [201, 'removed'])
    const state = await begin()
    assert.match((await back(CALLBACK, { installation_id: '42', state })).place, /error=installation_unknown/)
    await deliver('installation', 'deleted', {}, 77)
    github.installations.set('77', anInstallation('acme', []))
    await deliver('installation', 'created', {}, 77)
    await room.work(REFRESH)
    assert.equal((await show('77')).status, 'removed', 'deleted came before created')
  })

  test('take repositories away at once, and bring new ones by asking', async () => {
    await post('42')
    await room.work(REFRESH)
    github.installations.set('42', anInstallation('acme', ['web']))
    await deliver('installation_repositories', 'removed', { repositories_removed: [{ id: 2 }, { id: 3 }] })
    assert.deepEqual(await namesOf(), ['acme/web'])
    assert.equal((await show('42')).repository_count, 1)
    github.installations.set('42', anInstallation('acme', ['web', 'api']))
    await deliver('installation_repositories', 'added', { repositories_added: [{ id: 2 }] })
    await deliver('installation_repositories', 'added', { repositories_added: [{ id: 2 }] })
    assert.equal((await room.work(REFRESH)).length, 1, 'one job for all')
    assert.deepEqual(await namesOf(), ['acme/api', 'acme/web'])
  })

  test('make an installation known, for no team', async () => {
    await deliver('installation', 'created')
    await room.work(REFRESH)
    const found = await show('42')
    assert.deepEqual([found.status, found.teams, found.repository_count], ['active', [], 3])
  })

  test('an answer that was asked for before a restriction is not stored after it', async () => {
    await post('42')
    await room.work(REFRESH)
    let first = true
    github.interfere = async (call) => {
      if (!first || !call.startsWith('GET /installation/repositories')) return undefined
      first = false
      const found = github.installations.get('42')
      if (found) found.suspended = true
      await deliver('installation', 'suspend')
      return undefined
    }
    await send('POST', '/installations/42/refresh')
    assert.equal((await show('42')).status, 'suspended')
  })

  test('that are about something else, or of another source, change nothing', async () => {
    await post('42')
    const payloads: unknown[] = [
      null,
      [],
      'text',
      {},
      { installation: null },
      { installation: { id: {} } },
      { installation: { id: 1e300 } },
    ]
    for (const payload of payloads) {
      const from = await sourceId()
      await room.database.transaction((tx) =>
        door.hearDelivery(tx, from, { eventType: 'installation', action: 'deleted', payload }),
      )
    }
    const payload = { installation: { id: 42 } }
    const elsewhere = room.kit.ids.next()
    await room.database.transaction((tx) =>
      door.hearDelivery(tx, elsewhere, { eventType: 'installation', action: 'deleted', payload }),
    )
    assert.equal((await show('42')).status, 'active')
  })
})

describe('the doctor', () => {
  const doctor = async () => {
    const { status, body } = await send('POST', '/doctor')
    assert.equal(status, 200)
    const steps: { step: string; result: string; sentence: string; remedy: string | null }[] = body.steps
    for (const { result, remedy, sentence } of steps) {
      assert.equal(result === 'warning' || result === 'failed', remedy !== null, sentence)
    }
    return { ok: body.ok, of: (name: string) => steps.find(({ step }) => step === name), steps }
  }

  test('finds nothing where all is well', async () => {
    await post('42')
    await room.work(REFRESH)
    github.webhookUrl = (await send('GET', '')).body.webhook_url
    const { ok, steps } = await doctor()
    assert.ok(ok, JSON.stringify(steps))
    assert.deepEqual(
      steps.map(({ step }) => step),
      ['key', 'clock', 'app', 'installation', 'permissions', 'webhook', 'last_delivery'],
    )
  })

  test('names each fault with its remedy', async () => {
    github.webhookUrl = 'https://elsewhere.example.com/hook'
    github.delivered = 502
    const first = await doctor()
    assert.match(first.of('installation')?.sentence ?? '', /No installation is recorded|not recorded/)
    assert.match(first.of('webhook')?.sentence ?? '', /another address/)
    assert.match(first.of('last_delivery')?.sentence ?? '', /answered 502/)
    const found = github.installations.get('42')
    assert.ok(found)
    delete found.permissions['checks']
    await post('42')
    assert.match((await doctor()).of('permissions')?.sentence ?? '', /lacks checks: write, to show each run/)
    github.skewMs = 120_000
    assert.match((await doctor()).of('clock')?.sentence ?? '', /(?:119|120) s behind/)
    github.skewMs = 0
    const [key = ''] = github.keys.splice(0)
    assert.equal((await doctor()).of('app')?.result, 'failed')
    github.keys.push(key)
    await db.deleteFrom('git_app_keys').where('kind', '=', 'private_key').execute()
    const keyless = await doctor()
    assert.deepEqual([keyless.of('key')?.result, keyless.of('webhook')?.result], ['failed', 'skipped'])
    await send('DELETE', '')
    assert.equal((await send('POST', '/doctor')).status, 412)
    assert.equal((await send('POST', '/doctor', undefined, room.viewer)).status, 403)
  })
})
