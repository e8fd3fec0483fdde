import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aDocument, aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aTrigger, type Called, openCauses, PIPELINE, SCOPE, TEAM, toCalled } from '../sources/testing.ts'

const PATH = '/v1/git/events'
const KEY = 'a key of more than sixteen characters'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { EVENT_SIGNING_SECRET: KEY })
after(() => causes.close())
const db = testDatabase.database.kysely
const operator = (await aMember(db, 'operator', 'operator', TEAM)).headers
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers

let made = 0
async function aTriggerFor(repository: string, overrides: Record<string, unknown> = {}): Promise<string> {
  made += 1
  const body = aTrigger({ name: `t${made}`, repositories: [repository], branches: [], ...overrides })
  const { status, body: trigger, text } = await causes.call('POST', '/v1/triggers', body)
  assert.equal(status, 201, text)
  return String(trigger['id'])
}

function anEvent(repository: string, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { kind: 'push', provider: 'github', repository: { full_name: repository }, branch: 'main', ...overrides }
}

const post = (body: unknown, headers: Record<string, string> = {}) => causes.call('POST', PATH, body, { headers })

async function send(body: string | Buffer, headers: Record<string, string> = {}): Promise<Called> {
  const type = { 'content-type': 'application/json' }
  const request = {
    method: 'POST',
    url: PATH,
    payload: body,
    headers: { ...causes.admin, ...type, ...headers },
  } as const
  return toCalled(await causes.http.app.inject(request))
}

describe('answers', () => {
  test('accepted: the event is recorded and its run queued', async () => {
    const triggerId = await aTriggerFor('acme/a')
    const { status, body } = await post(anEvent('acme/a', { after: 'c'.repeat(40) }))
    assert.equal(status, 200)
    assert.equal(body['status'], 'accepted')
    const run = await db.selectFrom('runs').selectAll().where('trigger_id', '=', triggerId).executeTakeFirstOrThrow()
    assert.equal(run.commit_sha, 'c'.repeat(40))
    const event = db
      .selectFrom('trigger_events')
      .selectAll()
      .where('id', '=', run.event_id ?? '')
    const stored = await event.executeTakeFirstOrThrow()
    assert.equal(stored.repository, 'acme/a')
    assert.equal(JSON.parse(JSON.stringify(stored.event)).after, 'c'.repeat(40))
  })

  test('ignored: the event is recorded all the same', async () => {
    const { status, body } = await post(anEvent('acme/nobody'))
    assert.equal(status, 200)
    assert.equal(body['status'], 'ignored')
    const event = db.selectFrom('trigger_events').select('id').where('repository', '=', 'acme/nobody')
    assert.ok(await event.executeTakeFirst())
  })

  test('a run id, where the event names its pipeline', async () => {
    await aPipeline(db, `${TEAM}/lettered`, aDocument('lettered', 'variables: { A: a }\n'))
    const named = { pipeline: `${TEAM}/lettered`, scope: SCOPE }
    const { status, body } = await post(anEvent('acme/b', { ...named, variables: { A: 'b' } }))
    assert.equal(status, 200)
    const run = db.selectFrom('runs').selectAll().where('id', '=', String(body['run_id']))
    assert.deepEqual((await run.executeTakeFirstOrThrow()).variables, { A: 'b' })
  })

  test('400 for a variable that the pipeline does not declare: it would change what the tasks run', async () => {
    const named = { pipeline: PIPELINE, scope: SCOPE, variables: { LD_PRELOAD: '/evil.so' } }
    const { status, body } = await post(anEvent('acme/b', named))
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /variables\.LD_PRELOAD/)
  })

  test('a trigger that names a source is not for posted events', async () => {
    const source = await causes.call('POST', '/v1/git-webhook-sources', {
      name: 's',
      provider: 'github',
      team_path: TEAM,
      credential_ref: `secret:${TEAM}/hook`,
      repository_allowlist: ['acme/*'],
    })
    await aTriggerFor('acme/c', { source_id: source.body['id'] })
    assert.equal((await post(anEvent('acme/c'))).body['status'], 'ignored')
  })
})

describe('400', () => {
  test('names the branch or tag that is not the one of the ref', async () => {
    for (const [field, names] of [
      ['branch', { ref: 'refs/heads/dev', branch: 'main' }],
      ['tag', { ref: 'refs/heads/main', branch: 'main', tag: 'v1' }],
    ] as const) {
      const { status, body } = await post(anEvent('acme/a', names))
      assert.deepEqual([status, Object(body['errors'])[0]?.field], [400, field])
    }
  })
})

describe('401', () => {
  test('without a token, whatever the signature', async () => {
    assert.equal((await post(anEvent('acme/a'), { authorization: '' })).status, 401)
  })

  test('a signature that is there must be right', async () => {
    const body = JSON.stringify(anEvent('acme/signed'))
    const right = createHmac('sha256', KEY).update(body).digest('hex')
    const wrong = createHmac('sha256', 'another').update(body).digest('hex')
    assert.equal((await send(body, { 'x-service-signature': `sha256=${right}` })).status, 200)
    for (const signature of [
      `sha256=${wrong}`,
      'sha256=',
      right,
      '',
      `sha1=${right}`,
      `sha256=${right}, sha256=${right}`,
    ]) {
      const { status, body: problem } = await send(body, { 'x-service-signature': signature })
      assert.equal(status, 401, signature)
      assert.equal(problem['code'], 'event.signature_invalid')
    }
    assert.equal((await send(`${body} `, { 'x-service-signature': `sha256=${right}` })).status, 401)
  })
})

describe('403', () => {
  test('the trigger matched, but its owner may not start it any more', async () => {
    const leaver = await aMember(db, 'leaver', 'editor', TEAM)
    const trigger = aTrigger({ name: 'left', repositories: ['acme/left'], branches: [] })
    assert.equal((await causes.call('POST', '/v1/triggers', trigger, { headers: leaver.headers })).status, 201)
    await db.deleteFrom('grants').where('user_id', '=', leaver.id).execute()
    for (;;) {
      const { status, body } = await post(anEvent('acme/left'))
      if (status === 200) continue
      assert.equal(status, 403)
      assert.equal(body['code'], 'event.not_permitted')
      assert.match(String(body['detail']), /leaver may not see it/)
      break
    }
  })

  test('who posts without a signature must be allowed to start what matches; a signature vouches for the event', async () => {
    await aTriggerFor('acme/vouched')
    const event = anEvent('acme/vouched')
    assert.equal((await post(event, viewer)).status, 403)
    assert.equal((await post(event, operator)).body['status'], 'accepted')
    const body = JSON.stringify(event)
    const signature = `sha256=${createHmac('sha256', KEY).update(body).digest('hex')}`
    assert.equal((await send(body, { ...viewer, 'x-service-signature': signature })).body['status'], 'accepted')
  })

  test('a pipeline that the caller may see but not start', async () => {
    assert.equal((await post(anEvent('acme/b', { pipeline: PIPELINE, scope: SCOPE }), viewer)).status, 403)
  })
})

describe('an event that is posted again', () => {
  const runsOf = (repository: string) =>
    db.selectFrom('runs').select('id').where('repository', '=', repository).execute()

  test('with the same delivery id starts nothing and is answered as the first time, also at once', async () => {
    await aTriggerFor('acme/again')
    const event = anEvent('acme/again', { after: 'd'.repeat(40), delivery_id: 'bot-1' })
    const answers = await Promise.all([post(event), post(event), post(event)])
    for (const answer of answers) assert.deepEqual(answer.body, answers[0]?.body)
    assert.equal(answers[0]?.body['status'], 'accepted')
    assert.equal((await runsOf('acme/again')).length, 1)
  })

  test('to start a pipeline answers the same run', async () => {
    const named = { pipeline: PIPELINE, scope: SCOPE, delivery_id: 'bot-2' }
    const first = await post(anEvent('acme/direct', named))
    const second = await post(anEvent('acme/direct', named))
    assert.ok(first.body['run_id'])
    assert.deepEqual(second.body, first.body)
    assert.equal((await runsOf('acme/direct')).length, 1)
  })

  test('by another caller, or under another id, counts anew', async () => {
    const named = { pipeline: PIPELINE, scope: SCOPE }
    await post(anEvent('acme/anew', { ...named, delivery_id: 'bot-3' }))
    await post(anEvent('acme/anew', { ...named, delivery_id: 'bot-3' }), operator)
    await post(anEvent('acme/anew', { ...named, delivery_id: 'bot-4' }))
    assert.equal((await runsOf('acme/anew')).length, 3)
  })

  test('with an Idempotency-Key starts nothing, where the event names no delivery', async () => {
    const event = anEvent('acme/keyed', { pipeline: PIPELINE, scope: SCOPE })
    const first = await post(event, { 'idempotency-key': 'k-1' })
    assert.deepEqual((await post(event, { 'idempotency-key': 'k-1' })).body, first.body)
    assert.equal((await post(event, { 'idempotency-key': 'k 1\u00e9' })).status, 400)
    assert.equal((await runsOf('acme/keyed')).length, 1)
  })

  test('with an Idempotency-Key that came with another body is 409, and nothing is recorded', async () => {
    assert.equal((await post(anEvent('acme/keyed-twice'), { 'idempotency-key': 'k-2' })).status, 200)
    const other = await post(anEvent('acme/keyed-otherwise'), { 'idempotency-key': 'k-2' })
    assert.deepEqual([other.status, other.body['code']], [409, 'idempotency_key_reused'])
    const stored = db.selectFrom('trigger_events').select('id').where('repository', '=', 'acme/keyed-otherwise')
    assert.equal(await stored.executeTakeFirst(), undefined)
  })

  test('after it was refused is looked at anew', async () => {
    await aTriggerFor('acme/refused-first')
    const event = anEvent('acme/refused-first', { after: 'e'.repeat(40), delivery_id: 'bot-5' })
    assert.equal((await post(event, viewer)).status, 403)
    assert.equal((await post(event)).status, 200)
    assert.equal((await runsOf('acme/refused-first')).length, 1)
  })

  test('leaves an audit record each time it did something', async () => {
    const { body } = await causes.call('GET', '/v1/audit?limit=200')
    const records = JSON.parse(JSON.stringify(body)).filter(
      (one: { action: string }) => one.action === 'git_event.posted',
    )
    assert.ok(records.length > 5)
    assert.match(JSON.stringify(records[0]), /acme\//)
  })
})

describe('400', () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ['no repository', { repository: undefined }, 'repository'],
    ['no kind', { kind: undefined }, 'kind'],
    ['an unknown kind', { kind: 'commit' }, 'kind'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a name that climbs', { repository: { full_name: '../x' } }, 'repository'],
    ['a short sha', { after: 'abc' }, 'after'],
    ['an unknown pipeline', { pipeline: 'acme/web/none', scope: SCOPE }, 'pipeline'],
    ['a pipeline without a scope', { pipeline: PIPELINE }, 'scope'],
    ['a scope without a pipeline', { scope: SCOPE }, 'pipeline'],
    [
      'a pull request that is not told',
      { kind: 'pull_request', action: 'opened', after: 'c'.repeat(40) },
      'pull_request',
    ],
    ['a comment on nothing', { kind: 'pull_request_comment', action: 'created', pull_request: null }, 'pull_request'],
  ]
  for (const [name, change, field] of cases) {
    test(`${name} is named`, async () => {
      const { status, body, text } = await post(anEvent('acme/a', change))
      assert.equal(status, 400, text)
      assert.match(JSON.stringify(body['errors']), new RegExp(`"field":"${field}`))
    })
  }

  const pull = (change: Record<string, unknown>) => ({
    kind: 'pull_request',
    action: 'opened',
    after: 'c'.repeat(40),
    pull_request: {
      number: 7,
      title: 'x',
      draft: false,
      labels: [],
      head: { ref: 'x', sha: 'c'.repeat(40), repository: 'acme/bounds' },
      base: { ref: 'main', sha: null, repository: 'acme/bounds' },
      from_fork: false,
      merged: null,
      author: null,
      web_url: null,
      ...change,
    },
  })

  test('what no table can hold, or Git cannot fetch, is named', async () => {
    await aTriggerFor('acme/bounds', { events: ['push', 'pull_request'] })
    const wrong: [Record<string, unknown>, string][] = [
      ...[2 ** 53, 9.3e18, 1e19, 1e300].map((number): [Record<string, unknown>, string] => [
        pull({ number }),
        'pull_request.number',
      ]),
      [{ ...pull({}), occurred_at: '0001-01-01T00:00:00+23:59' }, 'occurred_at'],
      [{ ...pull({}), occurred_at: '9999-12-31T23:59:59-23:59' }, 'occurred_at'],
      [{ ref: '--upload-pack=touch x' }, 'ref'],
      [{ ref: 'main' }, 'ref'],
      [{ ref: 'refs/heads' }, 'ref'],
      [{ ref: 'refs/heads/main\nrefs/heads/x' }, 'ref'],
      [{ ref: 'refs/heads/a..b' }, 'ref'],
    ]
    for (const [change, field] of wrong) {
      const { status, body, text } = await post(anEvent('acme/bounds', change))
      assert.equal(status, 400, text)
      assert.match(JSON.stringify(body['errors']), new RegExp(`"field":"${field}"`))
    }
    for (const change of [
      pull({ number: Number.MAX_SAFE_INTEGER }),
      { after: 'd'.repeat(40), ref: 'refs/heads/main', occurred_at: '2026-11-21T10:00:00+02:00' },
      { ref: 'refs/heads/-dashed', branch: '-dashed', before: 'd'.repeat(40) },
    ]) {
      const { status, text } = await post(anEvent('acme/bounds', change))
      assert.equal(status, 200, text)
    }
    const stored = db
      .selectFrom('trigger_events')
      .select('event')
      .where('repository', '=', 'acme/bounds')
      .where('commit_sha', '=', 'd'.repeat(40))
    const { event } = await stored.executeTakeFirstOrThrow()
    assert.equal(Object(event).occurred_at, '2026-11-21T08:00:00.000Z')
  })

  test('each field is said once, in words and not as the schema has it', async () => {
    const { body } = await post(anEvent('acme', { kind: 'commit', colour: 'red', after: 'abc' }))
    const errors = new Map(Object.values(Object(body['errors'])).map((one) => [Object(one).field, Object(one).message]))
    assert.equal(errors.size, Object.keys(Object(body['errors'])).length)
    assert.equal(errors.get('colour'), 'is not a known field: leave it out')
    assert.equal(errors.get('after'), 'is not of the right form: A whole commit name in lower case')
    assert.equal(errors.get('repository.full_name'), 'is not of the right form: owner/name')
    assert.match(errors.get('kind'), /^must be one of \["push",/)
  })

  for (const [name, text] of [
    ['no JSON', '{'],
    ['a list', '[]'],
    ['nothing', ''],
    ['one field twice', '{"kind":"push","kind":"tag"}'],
    ['deep nesting', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['NUL', JSON.stringify(anEvent('acme/a', { branch: 'a\u0000' }))],
    ['half a character', '{"kind":"push","branch":"\\ud800"}'],
  ] as const) {
    test(name, async () => assert.equal((await send(text)).status, 400))
  }

  test('another content type is 415, a large body 413', async () => {
    assert.equal((await send('kind=push', { 'content-type': 'application/x-www-form-urlencoded' })).status, 415)
    assert.equal((await send(Buffer.alloc(2 * 1024 * 1024, ' '))).status, 413)
  })
})
