import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { answer, refuse } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const OVERRIDE = {
  repo_owner: 'acme/sub',
  repo_name: 'shop',
  pipeline: 'acme/build',
  scope: 'acme/staging',
  expires_at: '2020-01-01T00:00:00.000Z',
  expired: true,
  in_effect: true,
  not_in_effect_because: null,
  reason: 'freeze',
  owner: { kind: 'user', id: 'u1', name: 'ada' },
  created_at: '2026-11-21T03:00:00.000Z',
  updated_at: '2026-11-21T03:00:00.000Z',
}

describe('override', () => {
  test('list says which have expired', async () => {
    await using here = await stage((_request, response) =>
      answer(response, 200, [
        OVERRIDE,
        { ...OVERRIDE, expires_at: null, expired: false, in_effect: false, reason: null },
      ]),
    )
    const { out } = await here.run(['override', 'list', '--team', 'acme'])
    assert.equal(here.api.seen[0]?.path, '/v1/overrides?team_path=acme&limit=50')
    assert.match(out, /^acme\/sub\/shop\tacme\/build\tacme\/staging\texpired \d+ d ago\tyes\tada\tfreeze\n/)
    assert.match(out, /\tnever\tno\tada\t\n$/)
  })

  test('get asks by the encoded owner, and says so where there is none', async () => {
    await using here = await stage(({ path }, response) => answer(response, 200, path.includes('none') ? {} : OVERRIDE))
    const found = await here.run(['override', 'get', 'acme/sub/shop'])
    assert.equal(here.api.seen[0]?.path, '/v1/overrides/acme%2Fsub/shop')
    assert.match(found.out, /pipeline\s+acme\/build\n/)
    const none = await here.run(['override', 'get', 'acme/none'])
    assert.deepEqual([none.code, none.out, none.err], [0, '', 'acme/none has no override.\n'])
    const json = await here.run(['override', 'get', 'acme/none', '--json'])
    assert.equal(json.out, '{}\n')
  })

  for (const wrong of ['shop', '/shop', 'acme/']) {
    test(`"${wrong}" is no repository`, async () => {
      await using here = await stage((_request, response) => answer(response, 200, {}))
      const { code, err } = await here.run(['override', 'get', wrong])
      assert.equal(code, 2)
      assert.match(err, /<owner>\/<name>/)
      assert.deepEqual(here.api.seen, [])
    })
  }

  test('set sends what was given and no more', async () => {
    await using here = await stage((_request, response) => answer(response, 200, OVERRIDE))
    const given = ['--pipeline', 'acme/build', '--scope', 'acme/staging', '--expires', '2027-01-01T00:00:00Z']
    const { code, err } = await here.run(['override', 'set', 'acme/shop', ...given, '--reason', 'freeze'])
    assert.equal(code, 0)
    assert.equal(err, 'acme/shop starts acme/build in acme/staging until 2020-01-01T00:00:00.000Z.\n')
    await here.run(['override', 'set', 'acme/shop', '-p', 'acme/build'])
    const [first, second] = here.api.seen
    assert.deepEqual([first?.method, first?.path], ['PUT', '/v1/overrides/acme/shop'])
    assert.deepEqual(JSON.parse(first?.body ?? ''), {
      pipeline: 'acme/build',
      scope: 'acme/staging',
      expires_at: '2027-01-01T00:00:00Z',
      reason: 'freeze',
    })
    assert.deepEqual(JSON.parse(second?.body ?? ''), { pipeline: 'acme/build' })
  })

  test('set says where it is not in effect, and why', async () => {
    const because = 'No webhook source vouches for the override.'
    await using here = await stage((_request, response) =>
      answer(response, 200, { ...OVERRIDE, in_effect: false, not_in_effect_because: because }),
    )
    const set = await here.run(['override', 'set', 'acme/shop', '--pipeline', 'acme/build'])
    assert.deepEqual([set.code, set.err], [0, `The override of acme/shop is stored and not in effect.\n${because}\n`])
    const { out } = await here.run(['override', 'get', 'acme/shop'])
    assert.match(out, /in effect\s+no\nbecause\s+No webhook source vouches for the override\.\n/)
  })

  test("another team's override ends with a conflict", async () => {
    await using here = await stage((_request, response) => refuse(response, 409, 'override.conflict', 'It is theirs.'))
    const { code, err } = await here.run(['override', 'set', 'acme/shop', '-p', 'acme/build'])
    assert.equal(code, 6)
    assert.match(err, /It is theirs\./)
  })

  test('delete', async () => {
    await using here = await stage((_request, response) => answer(response, 204, undefined))
    const { code, err } = await here.run(['override', 'delete', 'acme/shop', '--yes'])
    assert.deepEqual([code, err], [0, 'acme/shop has no override.\n'])
    assert.deepEqual([here.api.seen[0]?.method, here.api.seen[0]?.path], ['DELETE', '/v1/overrides/acme/shop'])
  })

  test('validate sends the YAML as it is, and prints places', async () => {
    const fault = { field: 'scope', message: 'there is no scope x', line: 2, column: 8 }
    const warning = { field: 'expires_at', message: 'is 3 min ahead', line: 3, column: 13 }
    await using here = await stage(({ body }, response) =>
      answer(response, 200, { valid: body === 'good', errors: body === 'good' ? [] : [fault], warnings: [warning] }),
    )
    for (const name of ['good', 'bad']) writeFileSync(join(here.folder.path, name), name)
    const { code, out, err } = await here.run(['override', 'validate', 'good', 'bad'])
    assert.equal(code, 2)
    assert.equal(
      out,
      'good:3:13 expires_at is 3 min ahead (warning)\nbad:2:8 scope there is no scope x\nbad:3:13 expires_at is 3 min ahead (warning)\n',
    )
    assert.equal(err, 'good is valid.\n')
    assert.equal(here.api.seen[0]?.headers['content-type'], 'application/yaml')
    assert.equal((await here.run(['override', 'validate', 'good'])).code, 0)
  })

  test('resolve shows what starts and what is outranked', async () => {
    const run = { trigger_id: null, pipeline: 'acme/build', scope: 'acme/staging', reason: null }
    await using here = await stage((_request, response) =>
      answer(response, 200, {
        repository: 'acme/shop',
        ref: 'refs/heads/main',
        event: 'push',
        layer: 'override',
        runs: [{ ...run, layer: 'override', name: 'acme/shop', would_start: true }],
        losers: [{ ...run, layer: 'service_trigger', name: 'main', would_start: false, reason: 'Outranked.' }],
      }),
    )
    const { out } = await here.run(['override', 'resolve', 'acme/shop', '--ref', 'main', '--event', 'push'])
    assert.equal(here.api.seen[0]?.path, '/v1/overrides/acme/shop/resolution?ref=main&event=push')
    assert.deepEqual(out.split('\n'), [
      'override\tacme/shop\tacme/build\tacme/staging\tstarts\t',
      'service_trigger\tmain\tacme/build\tacme/staging\toutranked\tOutranked.',
      '',
    ])
  })

  test('resolve says what is wrong with the manifest, and that nothing would start', async () => {
    const manifest = {
      state: 'invalid',
      path: '.signalbox/triggers.yaml',
      reason: null,
      problems: [{ line: 3, column: 5, directive: 'triggers.a.pipline', message: 'did you mean `pipeline`?' }],
    }
    const resolution = { layer: null, runs: [], losers: [] }
    await using typo = await stage((_request, response) => answer(response, 200, { ...resolution, manifest }))
    const { out, err } = await typo.run(['override', 'resolve', 'acme/shop'])
    assert.match(out, /^\.signalbox\/triggers\.yaml:3:5\ttriggers\.a\.pipline\tdid you mean/m)
    assert.match(err, /^Nothing would start\.$/m)
    const unreadable = { ...manifest, state: 'unreadable', reason: 'There is no ref refs/heads/gone.', problems: [] }
    await using gone = await stage((_request, response) =>
      answer(response, 200, { ...resolution, manifest: unreadable }),
    )
    assert.match((await gone.run(['override', 'resolve', 'acme/shop', '--ref', 'gone'])).out, /There is no ref/)
  })

  test('preview shows what would have been different', async () => {
    const started = { layer: 'service_trigger', pipeline: 'acme/build', scope: 'acme/staging' }
    await using here = await stage((_request, response) =>
      answer(response, 200, {
        in_effect: true,
        not_in_effect_because: null,
        deliveries_considered: 50,
        changes: [
          {
            delivery_id: 'd1',
            received_at: '2026-11-21T03:00:00.000Z',
            event_type: 'push',
            kind: 'push',
            ref: null,
            before: [],
            after: [started],
          },
        ],
      }),
    )
    const { out, err } = await here.run(['override', 'preview', 'acme/sub/shop', '-p', 'acme/build'])
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      repo_owner: 'acme/sub',
      repo_name: 'shop',
      pipeline: 'acme/build',
    })
    assert.match(out, /^d1\t.* ago\tpush\t\tnothing\tacme\/build in acme\/staging\n$/)
    assert.equal(err, '1 of 50 deliveries would have started something else.\n')
  })
})
