import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const RUNNER = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'builder',
  team_path: 'acme',
  scopes: ['acme/**'],
  labels: ['gpu'],
  offered_labels: ['linux', 'gpu'],
  executors: ['host'],
  capacity: 4,
  version: '0.1.0',
  enabled: true,
  draining: false,
  leaving: false,
  connected: true,
  connected_at: null,
  last_seen_at: null,
  created_at: '2026-11-23T08:00:00.000Z',
}

describe('runner', () => {
  for (const [state, more] of [
    ['connected', {}],
    ['draining', { draining: true }],
    ['drained', { draining: true, connected: false }],
    ['away', { connected: false }],
    ['disabled', { enabled: false }],
  ] as const) {
    test(`list tells that one is ${state}`, async () => {
      await using here = await stage((_request, response) => answer(response, 200, [{ ...RUNNER, ...more }]))
      const { out } = await here.run(['runner', 'list'])
      assert.deepEqual(out.trimEnd().split('\t'), [
        'builder',
        'acme',
        state,
        'never',
        '4',
        'host',
        'gpu,linux',
        'acme/**',
      ])
    })
  }

  test('leases lists what a runner has in hand, and counts what one may not see', async () => {
    const lease = {
      run_id: RUNNER.id,
      pipeline: 'acme/build',
      scope: 'acme/test',
      step: 'build',
      task: 'compile',
      attempt: 2,
      leased_at: new Date().toISOString(),
      started_at: null,
      cancel_requested_at: null,
    }
    await using here = await stage((_request, response) => answer(response, 200, { leases: [lease], hidden: 3 }))
    const { out, err } = await here.run(['runner', 'leases', RUNNER.id])
    assert.deepEqual(out.split('\t').slice(0, 6), [RUNNER.id, 'acme/build', 'acme/test', 'build', 'compile', '2'])
    assert.match(err, /Tasks of runs that you may not see: 3\./)
    assert.equal(here.api.seen.at(-1)?.path, `/v1/runners/${RUNNER.id}/leases`)
  })

  test('drain, resume, disable and enable send what they say and nothing else', async () => {
    await using here = await stage((_request, response) => answer(response, 200, RUNNER))
    for (const [word, body] of [
      ['drain', { draining: true }],
      ['resume', { draining: false }],
      ['disable', { enabled: false }],
      ['enable', { enabled: true }],
    ] as const) {
      assert.equal((await here.run(['runner', word, RUNNER.id])).code, 0)
      assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), body)
    }
  })

  test('enrol asks for all scopes of the team unless it is told fewer, and prints the token alone', async () => {
    await using here = await stage((_request, response) => answer(response, 201, { token: 'sbxr_once' }))
    const sent = () => JSON.parse(here.api.seen.at(-1)?.body ?? '')
    const { out } = await here.run(['runner', 'enrol', 'acme/web', '--label', 'gpu,linux'])
    assert.equal(out, 'sbxr_once\n')
    assert.deepEqual(sent(), { team_path: 'acme/web', scopes: ['acme/web/**'], labels: ['gpu', 'linux'] })
    await here.run(['runner', 'enrol', '/', '--scope', 'acme/**,!acme/secret/*'])
    assert.deepEqual(sent(), { team_path: '/', scopes: ['acme/**', '!acme/secret/*'] })
    await here.run(['runner', 'enrol', '/'])
    assert.deepEqual(sent().scopes, ['**'])
  })
})

test('a profile is changed by what is given: the rest is written back as it was read, unless it changed meanwhile', async () => {
  const profile = {
    id: RUNNER.id,
    identifier: 'acme/node',
    team_path: 'acme',
    name: 'node',
    executor: 'container',
    image: 'node:24',
    labels: ['gpu'],
    environment: { NODE_ENV: 'test' },
    resources: { memory_mb: 512 },
    updated_at: '2026-11-23T08:00:00.000Z',
  }
  await using here = await stage((_request, response) => answer(response, 200, profile, { etag: '"7"' }))
  assert.equal((await here.run(['profile', 'update', 'acme/node', '--cpus', '2'])).code, 0)
  const sent = here.api.seen.at(-1)
  assert.equal(sent?.headers['if-match'], '"7"')
  assert.deepEqual(JSON.parse(sent?.body ?? ''), { ...profile, resources: { memory_mb: 512, cpus: 2 } })
})
