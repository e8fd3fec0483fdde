import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aMember } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { openKnowledge } from './testing.ts'

const testDatabase = await createTestDatabase()
const house = await openKnowledge(testDatabase)
after(() => house.close())
const { call, db } = house
await anEnvironment(db, 'other/test')
const owner = (await aMember(db, 'olga', 'owner', 'acme/web')).headers
const editor = (await aMember(db, 'ed', 'editor', 'acme/web')).headers
const viewer = (await aMember(db, 'vera', 'viewer', 'acme/web')).headers
const above = (await aMember(db, 'abe', 'editor', 'acme')).headers
const stranger = (await aMember(db, 'sam', 'owner', 'other')).headers

type Body = Record<string, unknown>
const guardrail = (name: string, more: Body = {}): Body => ({
  team_path: 'acme/web',
  name,
  kind: 'guardrail',
  rule: 'environment != "production" || run.branch == "main"',
  message: 'Production is deployed from main.',
  ...more,
})
const reference = (name: string, more: Body = {}): Body => ({
  team_path: 'acme/web',
  name,
  kind: 'reference',
  text: '# How we deploy',
  ...more,
})
const errorsOf = (body: Body): Body[] => (Array.isArray(body['errors']) ? body['errors'] : [])
const namesOf = (body: Body): unknown[] => (Array.isArray(body) ? body.map((item: Body) => item['name']) : [])

describe('a knowledge item', () => {
  test('is created, read by id and identifier, written back, and deleted', async () => {
    const created = await call('POST', '/v1/knowledge', guardrail('main-only', { text: 'Because.' }), editor)
    assert.equal(created.status, 201, created.text)
    assert.equal(created.headers.location, `/v1/knowledge/${created.body['id']}`)
    assert.equal(created.headers.etag, '"1"')
    assert.deepEqual(
      ['identifier', 'scope', 'at', 'time_zone', 'revision', 'saved_by', 'text'].map((field) => created.body[field]),
      ['acme/web/main-only', '**', null, 'UTC', 1, 'ed', 'Because.'],
    )
    for (const path of [created.body['id'], 'acme%2Fweb%2Fmain-only']) {
      const read = await call('GET', `/v1/knowledge/${path}`, undefined, viewer)
      assert.deepEqual([read.status, read.headers.etag], [200, '"1"'])
      assert.deepEqual(read.body, created.body)
    }
    const written = await call('PUT', '/v1/knowledge/acme%2Fweb%2Fmain-only', created.body, {
      ...editor,
      'if-match': '"1"',
    })
    assert.deepEqual([written.status, written.body['revision'], written.headers.etag], [200, 2, '"2"'], written.text)
    assert.notEqual(written.body['revision_id'], created.body['revision_id'])
    const late = await call('PUT', '/v1/knowledge/acme%2Fweb%2Fmain-only', created.body, {
      ...editor,
      'if-match': '"1"',
    })
    assert.deepEqual([late.status, late.body['code']], [409, 'version_conflict'])
    const kept = await call('DELETE', '/v1/knowledge/acme%2Fweb%2Fmain-only', undefined, {
      ...editor,
      'if-match': '"1"',
    })
    assert.equal(kept.status, 409)
    assert.equal((await call('DELETE', '/v1/knowledge/acme%2Fweb%2Fmain-only', undefined, editor)).status, 204)
    assert.equal((await call('GET', '/v1/knowledge/acme%2Fweb%2Fmain-only', undefined, editor)).status, 404)
    assert.equal((await call('DELETE', '/v1/knowledge/acme%2Fweb%2Fmain-only', undefined, editor)).status, 404)
  })

  test('of the platform is named /<name>, and seen by everybody whom it binds', async () => {
    const wish = guardrail('no-forks', { team_path: '/', kind: 'policy', rule: '!run.untrusted', message: 'No.' })
    const created = await call('POST', '/v1/knowledge', wish)
    assert.deepEqual([created.status, created.body['identifier']], [201, '/no-forks'], created.text)
    const read = await call('GET', '/v1/knowledge/%2Fno-forks', undefined, viewer)
    assert.deepEqual([read.status, read.body['id']], [200, created.body['id']])
    assert.equal((await call('POST', '/v1/knowledge', wish, owner)).status, 403)
    assert.equal((await call('PUT', '/v1/knowledge/%2Fno-forks', wish, owner)).status, 403)
  })

  test('has revisions that stay as they were, also when it is gone', async () => {
    const first = await call('POST', '/v1/knowledge', reference('handbook'), editor)
    const second = await call('PUT', '/v1/knowledge/acme%2Fweb%2Fhandbook', { text: 'Anew.' }, editor)
    assert.equal(second.status, 200, second.text)
    const path = '/v1/knowledge/acme%2Fweb%2Fhandbook/revisions'
    const list = await call('GET', path, undefined, viewer)
    assert.deepEqual(
      [list.status, list.body[0]?.['revision'], list.body[1]?.['id'], list.body[1]?.['text']],
      [200, 2, first.body['revision_id'], undefined],
    )
    const page = await call('GET', `${path}?limit=1`, undefined, viewer)
    const next = /<([^>]+)>/.exec(String(page.headers['link']))?.[1] ?? ''
    assert.equal((await call('GET', next, undefined, viewer)).body[0]?.['revision'], 1)
    await call('DELETE', '/v1/knowledge/acme%2Fweb%2Fhandbook', undefined, editor)
    assert.equal((await call('GET', path, undefined, viewer)).status, 404)
    const one = await call('GET', `/v1/knowledge/revisions/${first.body['revision_id']}`, undefined, viewer)
    assert.deepEqual(
      [one.status, one.body['text'], one.body['identifier']],
      [200, '# How we deploy', 'acme/web/handbook'],
    )
    const hidden = await call('GET', `/v1/knowledge/revisions/${first.body['revision_id']}`, undefined, stranger)
    assert.equal(hidden.status, 404)
    const again = await call('POST', '/v1/knowledge', reference('handbook'), editor)
    assert.deepEqual([again.status, again.body['revision']], [201, 1], 'the name is free again')
    const described = await house.knowledge.describeRevisions(db, [
      String(second.body['revision_id']),
      '01900000-0000-7000-8000-000000000000',
      String(first.body['revision_id']),
    ])
    assert.deepEqual(
      described.map(({ identifier, kind, revision }) => [identifier, kind, revision]),
      [
        ['acme/web/handbook', 'reference', 2],
        ['acme/web/handbook', 'reference', 1],
      ],
    )
    await assert.rejects(db.updateTable('knowledge_revisions').set({ text: 'x' }).execute(), /never changed/)
    await assert.rejects(db.deleteFrom('knowledge_revisions').execute(), /never changed/)
  })

  test('leaves audit records with before and after, and facts', async () => {
    const created = await call('POST', '/v1/knowledge', guardrail('told'), editor)
    await call('PUT', '/v1/knowledge/acme%2Fweb%2Ftold', guardrail('told', { message: 'Else.' }), editor)
    await call('DELETE', '/v1/knowledge/acme%2Fweb%2Ftold', undefined, editor)
    const id = String(created.body['id'])
    const records = await db
      .selectFrom('audit_records')
      .select(['action', 'team_path', 'before', 'after'])
      .where('resource_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      records.map((record) => [
        record.action,
        record.team_path,
        Object(record.before).message,
        Object(record.after).message,
      ]),
      [
        ['knowledge.created', 'acme/web', undefined, 'Production is deployed from main.'],
        ['knowledge.updated', 'acme/web', 'Production is deployed from main.', 'Else.'],
        ['knowledge.deleted', 'acme/web', 'Else.', undefined],
      ],
    )
    const facts = await db.selectFrom('facts').select(['kind', 'version', 'payload']).orderBy('id').execute()
    assert.deepEqual(
      facts
        .filter(({ payload }) => Object(payload).id === id)
        .map(({ kind, payload }) => [kind, Object(payload).revision]),
      [
        ['knowledge.changed', 1],
        ['knowledge.changed', 2],
        ['knowledge.deleted', 2],
      ],
    )
  })
})

describe('two writes at once', () => {
  test('of one item come one after the other, each with a revision', async () => {
    await call('POST', '/v1/knowledge', guardrail('busy'), editor)
    const write = (at: number) =>
      call('PUT', '/v1/knowledge/acme%2Fweb%2Fbusy', guardrail('busy', { message: `m${at}` }), editor)
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => write(at)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
    const revisions = answers.map(({ body }) => Number(body['revision'])).toSorted((a, b) => a - b)
    assert.deepEqual(revisions, [2, 3, 4, 5, 6, 7, 8, 9])
    const last = answers.find(({ body }) => body['revision'] === 9)
    assert.deepEqual((await call('GET', '/v1/knowledge/acme%2Fweb%2Fbusy')).body, last?.body)
  })

  test('with one ETag: the first is done, the others learn of it', async () => {
    const { headers } = await call('POST', '/v1/knowledge', guardrail('guarded'), editor)
    const write = () =>
      call('PUT', '/v1/knowledge/acme%2Fweb%2Fguarded', guardrail('guarded'), {
        ...editor,
        'if-match': String(headers.etag),
      })
    const statuses = (await Promise.all([write(), write(), write()])).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 409, 409])
  })

  test('of one name: one makes it', async () => {
    const make = () => call('POST', '/v1/knowledge', guardrail('contested'), editor)
    const statuses = (await Promise.all([make(), make(), make()])).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [201, 409, 409])
  })
})

describe('400', () => {
  for (const [what, body, field] of [
    ['a rule that cannot be read', guardrail('x', { rule: 'run.branch ==' }), 'rule'],
    ['a scope that does not exist', guardrail('x', { scope: 'acme/web/nowhere' }), 'scope'],
    ['a team in place of a scope', guardrail('x', { scope: 'acme/web' }), 'scope'],
    ['a scope of another team', guardrail('x', { scope: 'other/test' }), 'scope'],
    ['a team that does not exist', guardrail('x', { team_path: 'acme/none' }), 'team_path'],
    ['a reference with a rule', reference('x', { rule: 'true' }), 'rule'],
    ['a field that nobody knows', guardrail('x', { owner: 'me' }), 'owner'],
    ['a kind that nobody knows', guardrail('x', { kind: 'wish' }), 'kind'],
  ] as const) {
    test(what, async () => {
      const { status, body: problem, text } = await call('POST', '/v1/knowledge', body)
      assert.equal(status, 400, text)
      assert.equal(errorsOf(problem)[0]?.['field'], field)
    })
  }

  test('says where in a rule', async () => {
    const { body } = await call('POST', '/v1/knowledge', guardrail('x', { rule: 'true &&\n job.name == ""' }))
    assert.equal(body['code'], 'knowledge.invalid')
    assert.match(String(errorsOf(body)[0]?.['message']), /^line 2, column 2: `job` is unknown here/)
  })

  test('team, name and kind stay', async () => {
    await call('POST', '/v1/knowledge', guardrail('fixed'), editor)
    const moved = guardrail('renamed', { team_path: 'acme', kind: 'policy' })
    const { status, body } = await call('PUT', '/v1/knowledge/acme%2Fweb%2Ffixed', moved, editor)
    assert.deepEqual([status, errorsOf(body).map((error) => error['field'])], [400, ['team_path', 'name', 'kind']])
  })
})

test('409: a name of the team that is taken', async () => {
  await call('POST', '/v1/knowledge', guardrail('taken'))
  const { status, body } = await call('POST', '/v1/knowledge', reference('taken'))
  assert.deepEqual([status, body['code']], [409, 'knowledge.name_taken'])
  const elsewhere = await call('POST', '/v1/knowledge', guardrail('taken', { team_path: 'acme' }))
  assert.equal(elsewhere.status, 201, 'another team has names of its own')
})

describe('who may do what', () => {
  test('401 without a token, 403 for whoever may see but not write', async () => {
    assert.equal((await call('GET', '/v1/knowledge', undefined, { authorization: '' })).status, 401)
    const created = await call('POST', '/v1/knowledge', guardrail('mine'), editor)
    assert.equal(created.status, 201)
    for (const [method, url, body] of [
      ['POST', '/v1/knowledge', guardrail('theirs')],
      ['PUT', '/v1/knowledge/acme%2Fweb%2Fmine', guardrail('mine')],
      ['DELETE', '/v1/knowledge/acme%2Fweb%2Fmine', undefined],
    ] as const) {
      assert.equal((await call(method, url, body, viewer)).status, 403, `${method} ${url}`)
    }
  })

  test('policies are written by owners', async () => {
    const policy = guardrail('law', { kind: 'policy' })
    assert.equal((await call('POST', '/v1/knowledge', policy, editor)).status, 403)
    assert.equal((await call('POST', '/v1/knowledge', policy, owner)).status, 201)
    assert.equal((await call('PUT', '/v1/knowledge/acme%2Fweb%2Flaw', policy, editor)).status, 403)
    assert.equal((await call('DELETE', '/v1/knowledge/acme%2Fweb%2Flaw', undefined, editor)).status, 403)
    assert.equal((await call('DELETE', '/v1/knowledge/acme%2Fweb%2Flaw', undefined, owner)).status, 204)
  })

  test('teams below see what binds them and change nothing of it', async () => {
    assert.equal(
      (await call('POST', '/v1/knowledge', guardrail('from-above', { team_path: 'acme' }), above)).status,
      201,
    )
    const path = '/v1/knowledge/acme%2Ffrom-above'
    assert.equal((await call('GET', path, undefined, viewer)).status, 200)
    assert.equal((await call('PUT', path, guardrail('from-above', { team_path: 'acme' }), owner)).status, 403)
    assert.equal((await call('DELETE', path, undefined, owner)).status, 403)
    assert.ok(namesOf((await call('GET', '/v1/knowledge', undefined, viewer)).body).includes('from-above'))
  })

  test('others see nothing of it', async () => {
    const list = namesOf((await call('GET', '/v1/knowledge', undefined, stranger)).body)
    assert.deepEqual(list, ['no-forks'])
    const asked = '/v1/knowledge?scope=acme/web/production&pipeline_team=acme/web'
    assert.deepEqual(namesOf((await call('GET', asked, undefined, stranger)).body), ['no-forks'])
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? guardrail('from-above') : undefined
      assert.equal((await call(method, '/v1/knowledge/acme%2Ffrom-above', body, stranger)).status, 404, method)
    }
    assert.equal((await call('POST', '/v1/knowledge', guardrail('planted'), stranger)).status, 403)
    assert.equal((await call('POST', '/v1/knowledge/validate', guardrail('planted'), stranger)).status, 403)
    assert.equal((await call('GET', '/v1/knowledge/acme%2Ffrom-above/revisions', undefined, stranger)).status, 404)
    const sample = { run: { pipeline: 'other/build', scope: 'other/test' } }
    assert.equal((await call('POST', '/v1/knowledge/acme%2Ffrom-above/test', sample, stranger)).status, 404)
  })
})

describe('lists', () => {
  test('by team, kind and scope, page by page, newest first', async () => {
    const names = ['one', 'two', 'three']
    for (const name of names) await call('POST', '/v1/knowledge', reference(name, { team_path: 'other' }))
    await call('POST', '/v1/knowledge', reference('staging-only', { scope: 'acme/web/staging' }))
    const list = async (query: string) => namesOf((await call('GET', `/v1/knowledge?${query}`)).body)
    assert.deepEqual(await list('team_path=other'), ['three', 'two', 'one'])
    assert.deepEqual(await list('team_path=other&kind=policy'), [])
    assert.deepEqual(await list('scope=other/test'), ['three', 'two', 'one', 'no-forks'])
    assert.ok((await list('scope=acme/web/staging')).includes('staging-only'))
    assert.ok(!(await list('scope=acme/web/production')).includes('staging-only'))
    assert.deepEqual(await list('scope=nobody/test'), ['no-forks'])
    const guests = await list('scope=acme/web/staging&pipeline_team=other')
    assert.ok(guests.includes('staging-only') && guests.includes('one'), 'both teams bind what other runs there')
    assert.ok(!(await list('scope=acme/web/staging&pipeline_team=acme/web')).includes('one'))
    const aimless = await call('GET', '/v1/knowledge?pipeline_team=other')
    assert.deepEqual([aimless.status, errorsOf(aimless.body)[0]?.['field']], [400, 'scope'])
    const seen: unknown[] = []
    for (let next = '/v1/knowledge?team_path=other&limit=2'; next !== ''; ) {
      const page = await call('GET', next)
      seen.push(...namesOf(page.body))
      next = /<([^>]+)>/.exec(String(page.headers['link'] ?? ''))?.[1] ?? ''
    }
    assert.deepEqual(seen, ['three', 'two', 'one'])
    assert.equal((await call('GET', '/v1/knowledge?cursor=x')).status, 400)
  })
})

describe('validate', () => {
  test('answers 200 with where the rule is judged, and stores nothing', async () => {
    const { status, body } = await call('POST', '/v1/knowledge/validate', guardrail('idea'), viewer)
    assert.deepEqual([status, body], [200, { valid: true, errors: [], judged_at: ['run', 'step', 'task'] }])
    assert.equal((await call('GET', '/v1/knowledge/acme%2Fweb%2Fidea')).status, 404)
  })

  test('answers 200 with everything that is wrong', async () => {
    const wrong = guardrail('idea', { rule: 'run.nope', scope: 'acme/web/nowhere', message: null })
    const { status, body } = await call('POST', '/v1/knowledge/validate', wrong, viewer)
    assert.deepEqual([status, body['valid']], [200, false])
    assert.deepEqual(
      errorsOf(body).map(({ field, line, column }) => [field, line, column]),
      [
        ['message', null, null],
        ['rule', 1, 1],
        ['scope', null, null],
      ],
    )
  })
})

describe('test', () => {
  test('says what an item would say', async () => {
    await call('POST', '/v1/knowledge', guardrail('tried'))
    const ask = async (sample: Body) => call('POST', '/v1/knowledge/acme%2Fweb%2Ftried/test', sample, viewer)
    const run = { pipeline: 'acme/web/deploy', scope: 'acme/web/production', branch: 'next' }
    assert.deepEqual((await ask({ run })).body, {
      at: 'run',
      applies: true,
      judged: true,
      violation: 'The guardrail acme/web/tried is violated: Production is deployed from main.',
    })
    assert.equal((await ask({ run: { ...run, branch: 'main' } })).body['violation'], null)
    assert.equal((await ask({ run: { ...run, scope: 'other/test', pipeline: 'other/x' } })).body['applies'], false)
    const task = await ask({
      run,
      step: { name: 'ship', scope: 'acme/web/staging' },
      task: { name: 'a', image: 'node' },
    })
    assert.deepEqual([task.body['at'], task.body['violation']], ['task', null])
    const homeless = await ask({ run, task: { name: 'a' } })
    assert.deepEqual([homeless.status, errorsOf(homeless.body)[0]?.['field']], [400, 'step'])
  })

  test('tells the time that is given, in the zone of the item', async () => {
    await call('POST', '/v1/knowledge', guardrail('hours', { rule: 'now.hour < 16', time_zone: 'Europe/Berlin' }))
    const run = { pipeline: 'acme/web/deploy', scope: 'acme/web/production' }
    const ask = async (now: string) =>
      (await call('POST', '/v1/knowledge/acme%2Fweb%2Fhours/test', { run, now })).body['violation']
    assert.equal(await ask('2026-11-22T14:59:00Z'), null)
    assert.notEqual(await ask('2026-11-22T15:00:00Z'), null)
  })
})
