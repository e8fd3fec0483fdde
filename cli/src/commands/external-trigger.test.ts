import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, type Handler } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
const RUN = '01a1fc1f-ca69-7000-b9c9-fea95f691d0c'
const TRIGGER = {
  id: ID,
  identifier: 'acme/web/deploy',
  team_path: 'acme/web',
  name: 'deploy',
  pipeline: 'acme/web/build',
  scope: 'acme/web/test',
  variables: { REGION: 'eu' },
  allowed_variables: ['VERSION'],
  run_team_path: null,
  rate_limit: { per_minute: 60 },
  enabled: true,
  url: `https://signalbox.example/v1/external-triggers/${ID}/fire`,
  secret_set_at: '2026-11-21T03:00:00.000Z',
  owner: { kind: 'user', id: 'u', name: 'ada' },
  last_fired_at: null,
  last_run_id: null,
  last_refusal: 'ada may not use the scope acme/web/test.',
  created_at: '2026-11-21T03:00:00.000Z',
  updated_at: '2026-11-21T03:00:00.000Z',
}
const SECRET = { ...TRIGGER, secret: 'sbxe_the-secret', secret_url: `${TRIGGER.url}/sbxe_the-secret` }

const api: Handler = ({ method, path }, response) => {
  if (path.endsWith('/fire')) answer(response, 202, { run_id: RUN, status: 'queued' })
  else if (method === 'POST') answer(response, path.endsWith('/rotate') ? 200 : 201, SECRET)
  else if (method === 'DELETE') answer(response, 204, undefined)
  else answer(response, 200, path.includes('?') ? [TRIGGER] : TRIGGER)
}

describe('external-trigger', () => {
  test('create prints the secret alone, once', async () => {
    await using here = await stage(api)
    const options = ['--var', 'REGION=eu', '--allow', 'VERSION,TAG', '--run-team', 'acme', '--rate', '5', '--disabled']
    const args = ['external-trigger', 'create', 'acme/web/deploy', '-p', 'acme/web/build', ...options]
    const { code, out, err } = await here.run(args)
    assert.deepEqual([code, out], [0, 'sbxe_the-secret\n'], err)
    assert.doesNotMatch(err, /sbxe_/)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      team_path: 'acme/web',
      name: 'deploy',
      pipeline: 'acme/web/build',
      variables: { REGION: 'eu' },
      allowed_variables: ['VERSION', 'TAG'],
      run_team_path: 'acme',
      rate_limit: { per_minute: 5 },
      enabled: false,
    })
    const nameless = await here.run(['external-trigger', 'create', 'deploy', '-p', 'acme/web/build'])
    assert.equal(nameless.code, 2)
  })

  test('rotate asks first, then prints the new secret alone', async () => {
    await using here = await stage(api)
    const { code, out } = await here.run(['external-trigger', 'rotate', 'acme/web/deploy', '--yes'])
    assert.deepEqual([code, out], [0, 'sbxe_the-secret\n'])
    assert.equal(here.api.seen[0]?.path, '/v1/external-triggers/acme%2Fweb%2Fdeploy/rotate')
  })

  test('list and show tell why the last fire was refused', async () => {
    await using here = await stage(api)
    const list = await here.run(['external-trigger', 'list', '--team', 'acme/web'])
    assert.match(list.out, /^acme\/web\/deploy\tacme\/web\/build\tacme\/web\/test\tada\tnever\trefused$/m)
    const show = await here.run(['external-trigger', 'show', 'acme/web/deploy'])
    assert.match(show.out, /^refused\tada may not use the scope/m)
    assert.match(show.out, /^may be set\tVERSION$/m)
  })

  test('enable and disable change that field alone', async () => {
    await using here = await stage(api)
    for (const [word, enabled] of [
      ['enable', true],
      ['disable', false],
    ] as const) {
      assert.equal((await here.run(['external-trigger', word, ID])).code, 0)
      assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), { enabled })
    }
  })

  test('fire sends variables and the key, and prints the id of the run', async () => {
    await using here = await stage(api)
    const args = ['external-trigger', 'fire', ID, '--var', 'VERSION=1', '--key', 'build-7']
    const { code, out, err } = await here.run(args)
    assert.equal(code, 0, err)
    assert.match(out, new RegExp(RUN))
    const [seen] = here.api.seen
    assert.deepEqual(JSON.parse(seen?.body ?? ''), { variables: { VERSION: '1' } })
    assert.equal(seen?.headers['idempotency-key'], 'build-7')
  })
})
