import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, type Handler, refuse } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const S1 = '01a200e0-77a3-7000-a92b-1507a62890ce'

describe('sources', () => {
  test('one delivery names the condition of each trigger that did not hold', async () => {
    const trace = {
      verification: 'X-Hub-Signature-256 matches.',
      events: [
        {
          kind: 'push',
          repository: 'acme/shop',
          ref: 'refs/heads/side',
          triggers: [
            {
              layer: 'service_trigger',
              name: 'push',
              team_path: 'acme',
              outcome: 'not_matched',
              first_failed: 'ref',
              reason: null,
              run_id: null,
              conditions: [
                { condition: 'event', expected: 'push', seen: 'push', passed: true },
                { condition: 'ref', expected: 'branches main', seen: 'branch side', passed: false, note: 'A tag.' },
              ],
            },
            {
              layer: 'repository_manifest',
              name: 'checks',
              team_path: 'acme',
              outcome: 'started',
              first_failed: null,
              reason: null,
              run_id: 'r1',
              conditions: [],
            },
          ],
          manifest: {
            state: 'invalid',
            path: '.signalbox/triggers.yaml',
            reason: 'The manifest has 1 problem; it starts nothing.',
            problems: [{ line: 5, column: 7, directive: 'triggers.a.pipline', message: 'unknown directive `pipline`' }],
          },
          note: '3 rules of teams that you may not see are left out.',
          near_misses: [{ name: 'build', team_path: 'acme', pattern: 'acme/shpo', reason: 'Did you mean acme/shop?' }],
        },
      ],
    }
    const delivery = {
      id: 'd1',
      received_at: '2026-11-21T03:00:00.000Z',
      event_type: 'push',
      repository: 'acme/shop',
      ref: 'refs/heads/side',
      result: 'ignored',
      status_code: 200,
      reason: 'No trigger matched; see the trace.',
      trace,
    }
    await using here = await stage((_request, response) => answer(response, 200, delivery))
    const { out } = await here.run(['source', 'delivery', S1, 'd1'])
    assert.equal(here.api.seen[0]?.path, `/v1/git-webhook-sources/${S1}/deliveries/d1`)
    assert.match(out, /^acme\/push\tnot_matched\tref\tbranches main\tbranch side: A tag\.$/m)
    assert.match(out, /^manifest: checks\tstarted: r1\t/m)
    assert.match(out, /^3 rules of teams that you may not see are left out\.$/m)
    assert.match(out, /^nearly: acme\/build has acme\/shpo\. Did you mean acme\/shop\?$/m)
    assert.match(out, /^\.signalbox\/triggers\.yaml:5:7\ttriggers\.a\.pipline\tunknown directive `pipline`$/m)
  })

  const SOURCE = {
    id: S1,
    name: 'shop',
    provider: 'gitlab',
    team_path: 'acme',
    enabled: true,
    payload_url: null,
    credential_ref: 'secret:acme/hook',
    repository_allowlist: ['acme/*'],
    connected_trigger_count: 1,
    notes: ['GitLab pauses a webhook.'],
  }

  test('get shows the address to enter at the provider: that of the control plane, else the one called here', async () => {
    const payload_url = `https://ci.example.com/v1/git/webhooks/${S1}`
    await using told = await stage((_request, response) => answer(response, 200, { ...SOURCE, payload_url }))
    const { out } = await told.run(['source', 'get', S1])
    assert.match(out, /^payload URL\thttps:\/\/ci\.example\.com\/v1\/git\/webhooks\/01a2/m)
    assert.match(out, /^secret\tsecret:acme\/hook$/m)
    const create = ['source', 'create', 'shop', '-t', 'acme', '--secret', 'acme/hook', '-r', 'acme/*']
    assert.match((await told.run(create)).out, /^payload URL\thttps:\/\/ci\.example\.com\//m)
    await using untold = await stage((_request, response) => answer(response, 200, SOURCE))
    assert.ok(
      (await untold.run(['source', 'get', S1])).out.includes(`payload URL\t${untold.api.url}/v1/git/webhooks/${S1}`),
    )
  })

  test('create sends what was given, and leaves the rest to the control plane', async () => {
    await using here = await stage((_request, response) => answer(response, 201, SOURCE))
    const few = ['source', 'create', 'shop', '-t', 'acme', '--secret', 'acme/hook', '-r', 'acme/*']
    const { out, err } = await here.run(few)
    assert.match(out, /payload URL\t.*\/v1\/git\/webhooks\/01a2/)
    assert.match(err, /^GitLab pauses a webhook\.$/m)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      name: 'shop',
      provider: 'github',
      team_path: 'acme',
      credential_ref: 'secret:acme/hook',
      repository_allowlist: ['acme/*'],
    })
    const all = ['--provider', 'gitlab', '--auth-mode', 'token', '--base-url', 'https://git.example.com', '--shared']
    const more = ['--read-credential', 'acme/read', '--read-repository', '--report-status', '--rate', '9']
    await here.run([...few, ...all, ...more, '--acknowledge-unmapped'])
    const sent = JSON.parse(here.api.seen[1]?.body ?? '')
    assert.deepEqual(
      [sent.provider, sent.auth_mode, sent.base_url, sent.visibility, sent.checkout_credential_ref],
      ['gitlab', 'token', 'https://git.example.com', 'shared', 'secret:acme/read'],
    )
    assert.deepEqual(
      [sent.read_repository, sent.report_status, sent.rate_limit, sent.acknowledge_unmapped],
      [true, true, { per_minute: 9 }, true],
    )
  })

  test('create names all that is missing at once', async () => {
    await using here = await stage((_request, response) => answer(response, 201, SOURCE))
    const { code, err } = await here.run(['source', 'create', 'shop', '-t', 'acme'])
    assert.equal(code, 2)
    assert.match(err, /needs --secret, --repository/)
    assert.equal(here.api.seen.length, 0)
  })

  test('update sends what was given only; a switch goes both ways, and empty text takes away', async () => {
    await using here = await stage(({ method }, response) =>
      answer(response, 200, method === 'GET' ? [SOURCE] : SOURCE),
    )
    const given = [
      '--no-shared',
      '--no-report-status',
      '--read-credential',
      '',
      '--base-url',
      '',
      '-r',
      'acme/*,!acme/old',
    ]
    assert.match((await here.run(['source', 'update', 'shop', ...given])).err, /shop is changed/)
    const sent = here.api.seen[1]
    assert.deepEqual([sent?.method, sent?.path], ['PATCH', `/v1/git-webhook-sources/${S1}`])
    assert.deepEqual(JSON.parse(sent?.body ?? ''), {
      repository_allowlist: ['acme/*', '!acme/old'],
      base_url: null,
      checkout_credential_ref: null,
      report_status: false,
      visibility: 'private',
    })
    const nothing = await here.run(['source', 'update', 'shop'])
    assert.equal(nothing.code, 2)
    assert.match(nothing.err, /No option says what to change/)
  })

  test('a source is named by its name too; one that is not there is said to be so', async () => {
    await using here = await stage(({ method }, response) =>
      answer(response, 200, method === 'GET' ? [SOURCE] : { ...SOURCE, enabled: false }),
    )
    assert.match((await here.run(['source', 'disable', 'shop'])).err, /shop is disabled/)
    assert.equal(here.api.seen[1]?.path, `/v1/git-webhook-sources/${S1}`)
    const { code, err } = await here.run(['source', 'disable', 'shopp'])
    assert.equal(code, 4)
    assert.match(err, /There is no source shopp that you may see/)
    assert.equal(here.api.seen.length, 3)
  })

  test('enable and disable', async () => {
    await using here = await stage((_request, response) => answer(response, 200, SOURCE))
    assert.match((await here.run(['source', 'disable', S1])).err, /shop is disabled/)
    assert.match((await here.run(['source', 'enable', S1])).err, /shop is enabled/)
    assert.deepEqual(
      here.api.seen.map(({ method, path, body }) => [method, path, body]),
      [
        ['PATCH', `/v1/git-webhook-sources/${S1}`, '{"enabled":false}'],
        ['PATCH', `/v1/git-webhook-sources/${S1}`, '{"enabled":true}'],
      ],
    )
  })

  const TRIGGER = {
    id: 't1',
    name: 'push',
    team_path: 'acme',
    repositories: ['acme/*'],
    events: ['push'],
    pipeline: 'acme/build',
    scope: 'acme/test',
    enabled: true,
  }
  const whileUsed: Handler = (request, response) => {
    if (request.method === 'GET') return answer(response, 200, [TRIGGER])
    if (request.path.includes('if_unused'))
      return refuse(response, 409, 'source.in_use', '1 trigger uses the source (acme/push).')
    return answer(response, 204, undefined)
  }

  test('delete is refused while triggers use the source, and names them', async () => {
    await using here = await stage(whileUsed)
    const { code, err } = await here.run(['source', 'delete', S1, '--yes'])
    assert.equal(code, 6)
    assert.match(err, /1 trigger uses the source \(acme\/push\)\./)
    assert.match(err, /--force/)
    assert.equal(here.api.seen[1]?.path, `/v1/git-webhook-sources/${S1}?if_unused=true`)
  })

  test('delete --force deletes all the same, and names what lost it', async () => {
    await using here = await stage(whileUsed)
    const { code, err } = await here.run(['source', 'delete', S1, '--yes', '--force'])
    assert.equal(code, 0)
    assert.match(err, /trigger acme\/push matches nothing/)
    assert.deepEqual(
      here.api.seen.map(({ method, path }) => `${method} ${path}`),
      [`GET /v1/triggers?source_id=${S1}&limit=500`, `DELETE /v1/git-webhook-sources/${S1}`],
    )
  })

  test('deliveries are narrowed by the API; a replay and one that came back say so', async () => {
    const delivery = {
      id: 'd1',
      received_at: '2026-11-21T03:00:00.000Z',
      event_type: 'push',
      repository: 'acme/shop',
      ref: null,
      result: 'accepted',
      verification: 'verified',
      status_code: 202,
      reason: '1 run was queued.',
      replay_of: 'd0',
      run_ids: ['r1'],
    }
    const back = { ...delivery, id: 'd3', replay_of: null, recovered: true, missed_at: delivery.received_at }
    await using here = await stage((_request, response) => answer(response, 200, [delivery, back]))
    const filter = [
      '--result',
      'accepted',
      '--event-type',
      'push',
      '-r',
      'acme/shop',
      '--since',
      '2026-11-21T00:00:00Z',
    ]
    const { out } = await here.run(['source', 'deliveries', S1, ...filter])
    assert.match(out, /push \(replay\)[^]*push \(recovered\)/)
    assert.equal(
      here.api.seen[0]?.path,
      `/v1/git-webhook-sources/${S1}/deliveries?result=accepted&event_type=push&repository=acme%2Fshop&since=2026-11-21T00%3A00%3A00Z&limit=20`,
    )
    assert.equal((await here.run(['source', 'deliveries', S1, '--since', 'yesterday'])).code, 2)
  })

  const REPLAY = {
    delivery_id: 'd2',
    replay_of: 'd1',
    result: 'accepted',
    reason: '1 run was queued.',
    run_ids: ['r1'],
    trace: { verification: 'Verified when it came.', events: [] },
  }

  test('replay of one delivery explains; with --dry-run nothing is stored', async () => {
    await using here = await stage((_request, response) => answer(response, 202, REPLAY))
    assert.match((await here.run(['source', 'replay', S1, 'd1'])).out, /delivery\td2/)
    await here.run(['source', 'replay', S1, 'd1', '--dry-run'])
    assert.deepEqual(
      here.api.seen.map(({ method, path }) => `${method} ${path}`),
      [
        `POST /v1/git-webhook-sources/${S1}/deliveries/d1/replay`,
        `POST /v1/git-webhook-sources/${S1}/deliveries/d1/replay?dry_run=true`,
      ],
    )
  })

  test('replay of many: those named, or those that fit; what was skipped is said', async () => {
    const batch = { replays: [{ ...REPLAY, trace: null }], skipped: [{ delivery_id: 'd9', reason: 'Gone.' }] }
    await using here = await stage((_request, response) => answer(response, 202, batch))
    const { out, err } = await here.run(['source', 'replay', S1, 'd1', 'd9'])
    assert.match(out, /^d1\td2\taccepted\t1\t/m)
    assert.match(err, /Skipped d9: Gone\./)
    await here.run(['source', 'replay', S1, '--result', 'ignored', '--limit', '3', '--dry-run'])
    assert.deepEqual(
      here.api.seen.map(({ body }) => JSON.parse(body)),
      [
        { delivery_ids: ['d1', 'd9'], dry_run: false },
        { result: 'ignored', limit: 3, dry_run: true },
      ],
    )
    assert.equal((await here.run(['source', 'replay', S1, 'd1', '--result', 'ignored'])).code, 2)
    assert.equal((await here.run(['source', 'replay', S1, '--limit', '501'])).code, 2)
  })

  test('health says what is the matter, which events nothing can use and which secrets are in use', async () => {
    const health = {
      status: 'failing',
      sentence: 'The newest 4 answers were refused.',
      last_delivery_at: '2026-11-21T03:00:00.000Z',
      last_accepted_at: null,
      rejected_in_a_row: 4,
      probably_paused: true,
      unusable_events: [{ event_type: 'Issue Hook', action: 'open', count: 7, last_at: '2026-11-21T03:00:00.000Z' }],
      former_names: [
        {
          former_name: 'acme/old',
          name: 'acme/new',
          since: '2026-11-21T03:00:00.000Z',
          triggers: [{ id: 't1', name: 'push', team_path: 'acme' }],
          overrides: [{ pipeline: 'acme/build' }],
        },
      ],
      credentials: [{ version: 2, created_at: '2026-11-21T03:00:00.000Z', last_used_at: null }],
      recovery: {
        looked_at: '2026-11-21T03:00:00.000Z',
        gap: { from: '2026-11-21T02:00:00.000Z', to: '2026-11-21T03:00:00.000Z' },
        missing: 3,
        recovered_7_days: 12,
        reason: null,
      },
    }
    await using here = await stage((_request, response) => answer(response, 200, health))
    const { out } = await here.run(['source', 'health', S1])
    assert.match(out, /^status\tfailing$/m)
    assert.match(out, /^secret version 2\tlast used never$/m)
    assert.match(out, /^lost deliveries\t3 missing, 12 recovered in 7 days; looked /m)
    assert.match(out, /^not sure of\t2026-11-21T02:00:00.000Z to 2026-11-21T03:00:00.000Z$/m)
    assert.match(out, /^Issue Hook\topen\t7\t/m)
    assert.match(out, /^acme\/old\tacme\/new\ttrigger acme\/push, override with acme\/build$/m)
  })

  test('recoveries say how each came back: sent again, or made from a head with its event', async () => {
    const resent = {
      id: 'r1',
      source_id: S1,
      kind: 'resend',
      state: 'recovered',
      provider_delivery_id: 'g1',
      repository: 'acme/shop',
      event_type: 'push',
      ref: null,
      before_sha: null,
      head_sha: null,
      event_id: null,
      missed_at: '2026-11-21T03:00:00.000Z',
      requested_at: '2026-11-21T03:05:00.000Z',
      recovered_at: '2026-11-21T03:05:01.000Z',
      delivery_id: 'd1',
      tries: 1,
      given_up_reason: null,
    }
    const made = {
      ...resent,
      id: 'r2',
      kind: 'made',
      ref: 'refs/heads/main',
      head_sha: 'abcdef0123456789abcdef0123456789abcdef01',
      event_id: 'e2',
      requested_at: null,
      tries: 0,
    }
    await using here = await stage((_request, response) => answer(response, 200, [made, resent]))
    const { out } = await here.run(['source', 'recoveries', S1])
    assert.match(out, /^r2\t.*\tacme\/shop\tmade\trefs\/heads\/main\tabcdef012345\trecovered\t.*\te2/m)
    assert.match(out, /^r1\t.*\tacme\/shop\tresend\t/m)
    const looking = { looked_at: null, gap: null, missing: 0, recovered_7_days: 2, reason: null }
    await using now = await stage((_request, response) => answer(response, 202, looking))
    const looked = await now.run(['source', 'recoveries', S1, '--look'])
    assert.match(looked.out, /^last look\tnever$/m)
    assert.match(looked.out, /heads of branches and pull requests/)
    assert.equal(now.api.seen[0]?.path, `/v1/git-webhook-sources/${S1}/recoveries`)
  })

  test('branches of a repository, nested owners encoded', async () => {
    await using here = await stage((_request, response) => answer(response, 200, [{ name: 'main', commit_sha: 'a1' }]))
    const { out } = await here.run(['source', 'branches', 'group/sub/shop'])
    assert.match(out, /^main\ta1$/m)
    assert.equal(here.api.seen[0]?.path, '/v1/repositories/group%2Fsub/shop/branches')
    assert.equal((await here.run(['source', 'branches', 'shop'])).code, 2)
  })
})

describe('secret retire', () => {
  const version = (number: number, used: string | null) => ({
    version: number,
    created_at: `2026-11-2${number}T03:00:00.000Z`,
    last_used_at: used,
  })
  const stored = (versions: readonly object[]): Handler => {
    const secret = {
      id: 'x1',
      team_path: 'acme',
      name: 'hook',
      version: 2,
      updated_at: '',
      last_used_at: null,
      versions,
    }
    return (request, response) => answer(response, request.method === 'GET' ? 200 : 204, [secret])
  }

  test('ends the older of two live versions', async () => {
    await using here = await stage(stored([version(2, null), version(1, null)]))
    assert.match((await here.run(['secret', 'retire', 'acme/hook'])).err, /Version 1 of acme\/hook is retired/)
    assert.equal(here.api.seen[1]?.path, '/v1/secrets/x1/versions/1')
  })

  test('with --unused not while a sender signs with it; nothing to do where one is live', async () => {
    await using used = await stage(stored([version(2, null), version(1, '2026-11-23T03:00:00.000Z')]))
    const refused = await used.run(['secret', 'retire', 'acme/hook', '--unused'])
    assert.equal(refused.code, 6)
    assert.equal(used.api.seen.length, 1)
    assert.match(refused.err, /Version 1 .* was used after version 2 was stored: last used .*, version 2 never used/)
    assert.match(refused.err, /once every sender has the new value: signalbox secret retire acme\/hook$/m)
    await using single = await stage(stored([version(2, null)]))
    assert.match((await single.run(['secret', 'retire', 'acme/hook'])).err, /Only version 2/)
    assert.equal((await single.run(['secret', 'retire', 'acme/none'])).code, 4)
  })
})
