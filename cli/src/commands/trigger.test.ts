import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { answer, type Handler } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
const TRIGGER = {
  id: ID,
  name: 'retest',
  team_path: 'acme/web',
  source_id: null,
  source_lost_at: null,
  repositories: ['acme/shop'],
  events: ['pull_request_comment'],
  actions: [],
  branches: [],
  tags: [],
  paths: [],
  labels: ['!wip'],
  draft: 'exclude',
  commands: ['/retest', '/cancel'],
  commenters: [],
  skip_ci: true,
  report_comment: false,
  if: null,
  pipeline: 'acme/web/build',
  scope: 'acme/web/test',
  variables: {},
  concurrency: { group: 'pr', on_conflict: 'queue' },
  enabled: true,
  owner: { kind: 'user', id: 'u', name: 'ada' },
  created_at: '2026-11-21T03:00:00.000Z',
  updated_at: '2026-11-21T03:00:00.000Z',
}

const store: Handler = ({ method, path }, response) => {
  if (method === 'GET' && path.startsWith('/v1/triggers?')) answer(response, 200, [TRIGGER])
  else if (method === 'DELETE') answer(response, 204, undefined)
  else answer(response, method === 'POST' ? 201 : 200, TRIGGER)
}

const NEEDED = ['--team', 'acme/web', '--pipeline', 'acme/web/build', '--scope', 'acme/web/test', '-r', 'acme/shop']

describe('triggers', () => {
  test('are made from options', async () => {
    await using here = await stage(store)
    const comments = ['-e', 'pull_request_comment', '--command', '/retest', '--command', '/deploy staging']
    const who = ['--commenter', '@members,mona', '--label', '!wip', '--draft', 'exclude']
    const group = ['--group', 'pr-${{ event.pull_request.number }}', '--on-conflict', 'cancel_running', '--disable']
    const { err, code } = await here.run(['trigger', 'create', 'retest', ...NEEDED, ...comments, ...who, ...group])
    assert.equal(code, 0, err)
    assert.match(err, /^Trigger acme\/web\/retest is created; it starts acme\/web\/build\.$/m)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      name: 'retest',
      team_path: 'acme/web',
      pipeline: 'acme/web/build',
      scope: 'acme/web/test',
      repositories: ['acme/shop'],
      events: ['pull_request_comment'],
      commands: ['/retest', '/deploy staging'],
      commenters: ['@members', 'mona'],
      labels: ['!wip'],
      draft: 'exclude',
      concurrency: { group: 'pr-${{ event.pull_request.number }}', on_conflict: 'cancel_running' },
      enabled: false,
    })
  })

  test('are made from a file, over which options win; pushes are what is asked for usually', async () => {
    await using here = await stage(store)
    const { name, team_path, repositories, pipeline, scope } = TRIGGER
    writeFileSync(
      join(here.folder.path, 'trigger.json'),
      JSON.stringify({ name, team_path, repositories, pipeline, scope }),
    )
    await here.run(['trigger', 'create', '--file', 'trigger.json', '--branch', 'main'])
    const body = { name, team_path, repositories, pipeline, scope, events: ['push'], branches: ['main'] }
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), body)
    await here.run(['trigger', 'create', 'other', '-f', '-', '-p', 'acme/web/other'], {
      stdin:
        'team_path: acme/web\nrepositories: [acme/shop]\npipeline: acme/web/build\nscope: acme/web/test\nevents: [tag]\n',
    })
    const other = { ...body, name: 'other', events: ['tag'], pipeline: 'acme/web/other' }
    const { branches: _branches, ...expected } = other
    assert.deepEqual(JSON.parse(here.api.seen[1]?.body ?? ''), expected)
  })

  test('name a source as a person does', async () => {
    const source = { id: '01a200e0-77a3-7000-a92b-1507a62890ce', name: 'shop', provider: 'github', team_path: 'acme' }
    const sources = [
      { ...source, enabled: true, credential_ref: '', repository_allowlist: [], connected_trigger_count: 0, notes: [] },
    ]
    await using here = await stage((request, response) =>
      request.path.startsWith('/v1/git-webhook-sources') ? answer(response, 200, sources) : store(request, response),
    )
    assert.equal((await here.run(['trigger', 'create', 'a', ...NEEDED, '--source', 'shop'])).code, 0)
    assert.equal(JSON.parse(here.api.seen.at(-1)?.body ?? '').source_id, source.id)
    const unknown = await here.run(['trigger', 'create', 'a', ...NEEDED, '--source', 'shpo'])
    assert.equal(unknown.code, 4)
    assert.match(unknown.err, /no source shpo .*\n.*signalbox source list/)
  })

  test('that lack something are not sent', async () => {
    await using here = await stage(store)
    const missing = await here.run(['trigger', 'create', 'a', '--team', 'acme'])
    assert.deepEqual([missing.code, here.api.seen.length], [2, 0])
    assert.match(missing.err, /A trigger needs --pipeline, --scope, --repository\./)
    for (const args of [
      ['--group', 'a'],
      ['--on-conflict', 'queue'],
      ['--enable', '--disable'],
      ['--draft', 'never'],
    ]) {
      assert.equal((await here.run(['trigger', 'create', 'a', ...NEEDED, ...args])).code, 2, args.join(' '))
    }
    for (const stdin of ['- a', '{', '']) {
      assert.equal((await here.run(['trigger', 'create', 'a', '-f', '-'], { stdin })).code, 2, stdin)
    }
    assert.equal(here.api.seen.length, 0)
  })

  test('are found by their name and shown, changed and deleted', async () => {
    await using here = await stage(store)
    const shown = await here.run(['trigger', 'get', 'acme/web/retest'])
    assert.match(shown.out, /^commands\t\/retest, \/cancel$/m)
    assert.match(shown.out, /^concurrency\tpr \(queue\)$/m)
    assert.deepEqual(
      here.api.seen.map(({ path }) => path),
      ['/v1/triggers?team_path=acme%2Fweb&limit=500', `/v1/triggers/${ID}`],
    )
    const change = ['--label', '', '--if', '', '--group', '', '--source', '', '--enable', '--name', 'again']
    await here.run(['trigger', 'update', ID, ...change])
    const patch = here.api.seen.at(-1)
    assert.deepEqual([patch?.method, patch?.path], ['PATCH', `/v1/triggers/${ID}`])
    assert.deepEqual(JSON.parse(patch?.body ?? ''), {
      name: 'again',
      labels: [],
      if: null,
      concurrency: null,
      source_id: null,
      enabled: true,
    })
    assert.equal((await here.run(['trigger', 'update', ID])).code, 2)
    assert.equal((await here.run(['trigger', 'delete', ID, '--yes'])).code, 0)
    assert.equal(here.api.seen.at(-1)?.method, 'DELETE')
    assert.equal((await here.run(['trigger', 'get', 'acme/web/none'])).code, 4)
    assert.equal((await here.run(['trigger', 'get', 'none'])).code, 2)
  })

  test('are tried out on kept deliveries', async () => {
    const S1 = '01a200e0-77a3-7000-a92b-1507a62890ce'
    const conditions = [{ condition: 'ref', expected: 'branches main', seen: 'branch side', passed: false }]
    const result = {
      delivery_id: 'd1',
      source_id: 's1',
      received_at: '2026-11-21T03:00:00.000Z',
      event_kind: 'push',
      action: 'updated',
      repository: 'acme/shop',
      ref: 'refs/heads/side',
      matched: false,
      trace: { outcome: 'not_matched', first_failed: 'ref', reason: null, conditions },
    }
    await using here = await stage(({ method, path }, response) => {
      if (method === 'GET') answer(response, 200, path.includes('?') ? [TRIGGER] : TRIGGER)
      else answer(response, 200, { deliveries_considered: 1, results: [result] })
    })
    const args = ['--branch', 'main', '--deliveries-of', S1, '--limit', '5']
    const { out, err } = await here.run(['trigger', 'simulate', 'acme/web/retest', ...args])
    assert.match(err, /^0 of 1 events match; deliveries considered: 1\.$/m)
    assert.match(
      out,
      /^d1\t.* ago\tpush updated\tacme\/shop\trefs\/heads\/side\tnot_matched\tref\tbranches main\tbranch side$/m,
    )
    assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), {
      trigger: { ...TRIGGER, branches: ['main'] },
      limit: 5,
      source_id: S1,
    })
    await here.run(['trigger', 'simulate', ...NEEDED])
    assert.equal(JSON.parse(here.api.seen.at(-1)?.body ?? '').trigger.name, 'simulated')
  })
})
