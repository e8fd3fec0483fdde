import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { answer, type Handler } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const APP = {
  provider: 'github',
  app_id: '7',
  slug: 'signalbox-acme',
  name: 'Signalbox acme',
  base_url: 'https://github.com',
  html_url: 'https://github.com/apps/signalbox-acme',
  account: 'acme',
  team_path: 'acme',
  has_private_key: true,
  webhook_configured: false,
  source_id: null,
  webhook_url: null,
  credential_ref: null,
  permissions: { checks: 'write', contents: 'read' },
  events: ['push'],
  keys: [{ kind: 'private_key', fingerprint: 'f'.repeat(64), created_at: '2026-11-28T08:00:00.000Z' }],
  updated_at: '2026-11-28T08:00:00.000Z',
}

const always =
  (body: unknown, status = 200): Handler =>
  (_request, response) =>
    answer(response, status, body)

/** No app, and a registration that stands so. */
const without =
  (registration: object): Handler =>
  ({ path }, response) =>
    answer(response, 200, path.endsWith('/registration') ? registration : {})

describe('git-app status', () => {
  test('shows rights, keys and what is not configured; --provider says whose app', async () => {
    await using here = await stage(always(APP))
    const { code, out } = await here.run(['git-app', 'status', '--provider', 'github'])
    assert.equal(code, 0)
    assert.match(out, /^app\t7 Signalbox acme$/m)
    assert.match(out, /^webhook\tnot configured$/m)
    assert.match(out, /^permissions\tchecks: write, contents: read$/m)
    assert.match(out, /^private key\tf{16}, stored /m)
    assert.equal(here.api.seen[0]?.path, '/v1/git-apps/github')
    assert.equal((await here.run(['git-app', 'status', '--provider', 'gogs'])).code, 2)
  })

  test('says where none is registered, and what begins one', async () => {
    await using here = await stage(without({ status: 'none', error: null }))
    const { code, out, err } = await here.run(['git-app', 'status'])
    assert.deepEqual([code, out], [0, ''])
    assert.match(err, /No app is registered: `signalbox git-app register`/)
    assert.deepEqual(
      here.api.seen.map(({ path }) => path),
      ['/v1/git-apps/forge', '/v1/git-apps/forge/registration'],
    )
  })

  test('says what became of the last registration where there is no app', async () => {
    for (const [told, words] of [
      [{ status: 'failed', error: 'interrupted' }, /The service ended while it asked the provider\./],
      [{ status: 'finishing', error: null }, /stored in a moment/],
      [{ status: 'waiting', error: null }, /A registration goes on/],
    ] as const) {
      await using here = await stage(without(told))
      assert.match((await here.run(['git-app', 'status'])).err, words)
    }
  })
})

describe('git-app doctor', () => {
  const step = (name: string, result: string, remedy: string | null) => ({
    step: name,
    installation_id: null,
    result,
    sentence: `Found ${name}.`,
    remedy,
  })

  test('prints each step with its remedy, and ends with 7 where one failed', async () => {
    const steps = [
      step('key', 'ok', null),
      step('app', 'failed', 'Compare app_id.'),
      step('installation', 'skipped', null),
    ]
    await using here = await stage(always({ ok: false, steps }))
    const { code, out } = await here.run(['git-app', 'doctor'])
    assert.equal(code, 7)
    assert.match(out, /^key\tok\tFound key\.\t$/m)
    assert.match(out, /^app\tfailed\tFound app\.\tCompare app_id\.$/m)
    const asJson = await here.run(['git-app', 'doctor', '--json'])
    assert.equal(asJson.code, 7)
    assert.deepEqual(JSON.parse(asJson.out).steps, steps)
  })

  test('a warning alone is no failure', async () => {
    await using here = await stage(always({ ok: false, steps: [step('last_delivery', 'warning', 'Push a commit.')] }))
    assert.equal((await here.run(['git-app', 'doctor'])).code, 0)
  })
})

describe('git-app set', () => {
  test('reads keys from a file and the standard input, and shows them nowhere', async () => {
    await using here = await stage(always(APP))
    writeFileSync(join(here.folder.path, 'hook'), 'a-hook-secret\n')
    const args = ['git-app', 'set', '--app-id', '7', '--private-key-file', '-', '--webhook-secret-file', 'hook']
    const { code, out, err } = await here.run([...args, '--no-keep-previous'], { stdin: 'a-pem-block\n' })
    assert.equal(code, 0)
    assert.deepEqual(
      here.api.seen.map(({ method, path, body }) => [method, path, JSON.parse(body)]),
      [
        [
          'PUT',
          '/v1/git-apps/forge',
          { app_id: '7', private_key: 'a-pem-block\n', webhook_secret: 'a-hook-secret', keep_previous: false },
        ],
      ],
    )
    assert.doesNotMatch(out + err, /a-hook-secret|a-pem-block/)
  })

  test('takes the stored id where none is given, and a stored token by its name', async () => {
    await using here = await stage(always(APP))
    await here.run(['git-app', 'set', '--provider', 'gitea', '--credential', 'acme/gitea-token'])
    assert.deepEqual(JSON.parse(here.api.seen[1]?.body ?? ''), {
      app_id: '7',
      credential_ref: 'secret:acme/gitea-token',
    })
  })

  test('sends nothing without an option, from an empty input, or with both from one input', async () => {
    await using here = await stage(always(APP))
    const lines = [[], ['--private-key-file', '-', '--webhook-secret-file', '-'], ['--webhook-secret-file', '-']]
    for (const more of lines) {
      assert.equal((await here.run(['git-app', 'set', ...more], { stdin: '\n' })).code, 2, more.join(' '))
    }
    assert.equal(here.api.seen.length, 0)
  })
})

describe('git-app delete', () => {
  test('asks a person first, and says that the app stays at the provider', async () => {
    await using here = await stage((_request, response) => response.writeHead(204).end())
    assert.equal((await here.run(['git-app', 'delete'])).code, 2)
    const no = await here.run(['git-app', 'delete'], { types: 'no' })
    assert.equal(no.code, 2)
    assert.equal(here.api.seen.length, 0)
    const yes = await here.run(['git-app', 'delete', '--provider', 'github'], { types: 'yes' })
    assert.equal(yes.code, 0)
    assert.match(yes.err, /Delete it at the provider too/)
    assert.equal(here.api.seen[0]?.path, '/v1/git-apps/github')
  })
})
