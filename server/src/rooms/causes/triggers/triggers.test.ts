import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aDocument, aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember, aMemberOf } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aConnectedSource, aSource, aTrigger, deliver, openCauses, SECRET, TEAM } from '../sources/testing.ts'

const PATH = '/v1/triggers'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
const root = await db.selectFrom('users').select('id').where('login', '=', 'root').executeTakeFirstOrThrow()
await anEnvironment(db, 'acme/web/production', { protected: true, allowedSubjects: [`user:${root.id}`] })
await anEnvironment(db, 'acme/other/staging')
await aPipeline(db, 'acme/other/build')
const editor = await aMember(db, 'editor', 'editor', TEAM)
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers

let made = 0
function aNamedTrigger(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  made += 1
  return aTrigger({ name: `trigger-${made}`, ...overrides })
}

async function create(overrides: Record<string, unknown> = {}): Promise<string> {
  const { status, body, text } = await causes.call('POST', PATH, aNamedTrigger(overrides))
  assert.equal(status, 201, text)
  return String(body['id'])
}

function fieldsOf(body: Record<string, unknown>): string[] {
  return (Array.isArray(body['errors']) ? body['errors'] : []).map((error: { field: string }) => error.field)
}

describe('create', () => {
  test('answers the trigger with defaults; the caller is its owner', async () => {
    const { name, team_path, repositories, events, pipeline, scope } = aNamedTrigger()
    const body = { name, team_path, repositories, events, pipeline, scope }
    const called = await causes.call('POST', PATH, body, { headers: editor.headers })
    assert.equal(called.status, 201, called.text)
    assert.equal(called.headers['location'], `${PATH}/${called.body['id']}`)
    const { id: _id, created_at: _created, updated_at: _updated, ...rest } = called.body
    const lists = {
      actions: [],
      branches: [],
      tags: [],
      paths: [],
      labels: [],
      commands: [],
      commenters: [],
      skip_ci: true,
      report_comment: false,
    }
    assert.deepEqual(rest, {
      ...body,
      ...lists,
      source_id: null,
      source_lost_at: null,
      if: null,
      variables: {},
      draft: 'any',
      concurrency: null,
      enabled: true,
      owner: { kind: 'user', id: editor.id, name: 'editor' },
    })
  })

  const comments = { events: ['pull_request_comment'], branches: [] }
  const wrong: [string, Record<string, unknown>, string][] = [
    ['an unknown event', { events: ['commit'] }, 'events.0'],
    ['no event', { events: [] }, 'events'],
    ['no repository', { repositories: [] }, 'repositories'],
    ['a repository without an owner', { repositories: ['widgets'] }, 'repositories.0'],
    ['a branch pattern that cannot be read', { branches: ['ok', '[a'] }, 'branches.1'],
    ['a list that only excludes', { paths: ['!docs/**'] }, 'paths'],
    ['an expression that cannot be read', { if: 'event.branch ==' }, 'if'],
    ['an expression over what is not there', { if: 'steps.a == 1' }, 'if'],
    ['a field that no event has', { if: 'event.brnch == "x"' }, 'if'],
    ['a field that no event has, in a question', { if: 'has(event.repository.nmae)' }, 'if'],
    [
      'a variable of a field that no event has',
      { variables: { A: '${{ event.pull_request.nubmer }}' } },
      'variables.A',
    ],
    [
      'a group of a field that no event has',
      { concurrency: { group: 'a-${{ event.brach }}', on_conflict: 'queue' } },
      'concurrency.group',
    ],
    ['a variable that cannot be read', { variables: { A: '${{ event. }}' } }, 'variables.A'],
    ['a variable of no name', { variables: { 'A B': 'x' } }, 'variables'],
    ['a variable of no text', { variables: { A: 1 } }, 'variables.A'],
    ['labels without pull requests', { labels: ['a'] }, 'labels'],
    ['a label pattern that cannot be read', { ...comments, labels: ['a', '[b'] }, 'labels.1'],
    ['drafts without pull requests', { draft: 'only' }, 'draft'],
    ['an unknown rule for drafts', { ...comments, draft: 'never' }, 'draft'],
    ['commands without comments', { commands: ['/retest'] }, 'commands'],
    ['a command that is none', { ...comments, commands: ['/a', 'b'] }, 'commands.1'],
    ['a command with words behind /cancel', { ...comments, commands: ['/cancel all'] }, 'commands.0'],
    ['a command twice', { ...comments, commands: ['/a', '/a'] }, 'commands.1'],
    ['commands of edited comments', { ...comments, actions: ['edited'], commands: ['/a'] }, 'commands'],
    ['an action as GitHub spells it', { events: ['pull_request'], actions: ['opened', 'synchronize'] }, 'actions.1'],
    ['an action that is misspelt', { events: ['pull_request'], actions: ['merge'] }, 'actions.0'],
    ['an action of another event', { actions: ['opened'] }, 'actions.0'],
    ['an action that is told apart before', { events: ['pull_request'], actions: ['updated'] }, 'actions.0'],
    ['commenters without comments', { commenters: ['@members'] }, 'commenters'],
    ['an unknown kind of commenter', { ...comments, commenters: ['@owners'] }, 'commenters.0'],
    ['nobody but the excluded', { ...comments, commenters: ['!mona'] }, 'commenters'],
    ['a group that cannot be read', { concurrency: { group: '${{ }}', on_conflict: 'queue' } }, 'concurrency.group'],
    ['a group of blanks', { concurrency: { group: ' ', on_conflict: 'queue' } }, 'concurrency.group'],
    ['a group without a rule', { concurrency: { group: 'a' } }, 'concurrency'],
    ['too many expressions', { variables: { A: '${{ 1 }}'.repeat(21) } }, 'variables.A'],
    ['an unknown pipeline', { pipeline: 'acme/web/none' }, 'pipeline'],
    ['an unknown scope', { scope: 'acme/web/none' }, 'scope'],
    ['an unknown source', { source_id: randomUUID() }, 'source_id'],
    ['an unknown team', { team_path: 'acme/nowhere' }, 'team_path'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ]
  for (const [name, change, field] of wrong) {
    test(`${name} is 400 and named`, async () => {
      const { status, body, text } = await causes.call('POST', PATH, aNamedTrigger(change))
      assert.equal(status, 400, text)
      assert.ok(
        fieldsOf(body).some((seen) => seen === field || seen.startsWith(field)),
        text,
      )
    })
  }

  test('all that is wrong is said at once', async () => {
    const body = aNamedTrigger({ if: '(', branches: ['[a'], pipeline: 'acme/web/none', scope: 'acme/web/none' })
    const fields = fieldsOf((await causes.call('POST', PATH, body)).body)
    for (const field of ['if', 'branches.0', 'pipeline', 'scope']) assert.ok(fields.includes(field), field)
  })

  test('a name that is taken in the team is 409', async () => {
    const body = aNamedTrigger()
    assert.equal((await causes.call('POST', PATH, body)).status, 201)
    const { status, body: problem } = await causes.call('POST', PATH, body)
    assert.equal(status, 409)
    assert.equal(problem['code'], 'trigger.name_taken')
  })

  test('nobody makes a trigger start what they may not start themselves', async () => {
    const as = async (headers: Record<string, string>, change: Record<string, unknown>) =>
      (await causes.call('POST', PATH, aNamedTrigger(change), { headers })).status
    assert.equal(await as({ authorization: '' }, {}), 401)
    assert.equal(await as(viewer, {}), 403)
    assert.equal(await as(editor.headers, { pipeline: 'acme/other/build' }), 400)
    assert.equal(await as(editor.headers, { scope: 'acme/web/production' }), 403)
    assert.equal(await as(editor.headers, { scope: 'acme/other/staging' }), 400, 'hidden reads as absent')
    assert.equal(await as(stranger, { team_path: 'acme/other' }), 400)
    const seer = await aMemberOf(db, 'seer', { [TEAM]: 'editor', 'acme/other': 'viewer' })
    const elsewhere = { pipeline: 'acme/other/build' }
    const refused = await causes.call('POST', PATH, aNamedTrigger(elsewhere), { headers: seer.headers })
    assert.equal(refused.status, 403, refused.text)
    assert.match(refused.text, /run\.start on acme\/other/)
  })

  test('a source that the caller may not see reads as absent', async () => {
    const source = await causes.call('POST', '/v1/git-webhook-sources', aSource({ name: 'private' }))
    assert.equal(source.status, 201, source.text)
    const own = { team_path: 'acme/other', pipeline: 'acme/other/build', scope: 'acme/other/staging' }
    for (const id of [source.body['id'], randomUUID()]) {
      const body = aNamedTrigger({ ...own, source_id: id })
      const refused = await causes.call('POST', PATH, body, { headers: stranger })
      assert.deepEqual([refused.status, fieldsOf(refused.body)], [400, ['source_id']], refused.text)
    }
  })
})

describe('read and change', () => {
  test('a stranger sees nothing of it', async () => {
    const id = await create()
    assert.deepEqual((await causes.call('GET', PATH, undefined, { headers: stranger })).body, [])
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? {} : undefined
      assert.equal((await causes.call(method, `${PATH}/${id}`, body, { headers: stranger })).status, 404, method)
    }
    assert.equal((await causes.call('PATCH', `${PATH}/${id}`, {}, { headers: viewer })).status, 403)
    assert.equal((await causes.call('GET', `${PATH}/${randomUUID()}`)).status, 404)
    assert.equal((await causes.call('GET', `${PATH}/none`)).status, 400)
  })

  test('a document that was read can be written back; an old ETag is 409; a change changes the owner', async () => {
    await aPipeline(db, 'acme/web/lettered', aDocument('lettered', 'variables: { A: none }\n'))
    const variables = { A: '${{ event.branch }}' }
    const id = await create({ if: 'event.forced == false', pipeline: 'acme/web/lettered', variables })
    const { body, headers } = await causes.call('GET', `${PATH}/${id}`)
    const ifMatch = { 'if-match': String(headers['etag']) }
    const put = await causes.call('PUT', `${PATH}/${id}`, body, { headers: { ...editor.headers, ...ifMatch } })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual({ ...put.body, owner: 0, updated_at: 0 }, { ...body, owner: 0, updated_at: 0 })
    assert.equal(Object(put.body['owner'])['name'], 'editor')
    assert.equal((await causes.call('PATCH', `${PATH}/${id}`, { enabled: false }, { headers: ifMatch })).status, 409)
    assert.equal((await causes.call('DELETE', `${PATH}/${id}`, undefined, { headers: ifMatch })).status, 409)
    assert.equal((await causes.call('DELETE', `${PATH}/${id}`)).status, 204)
    assert.equal((await causes.call('GET', `${PATH}/${id}`)).status, 404)
    const audit = await causes.call('GET', `/v1/audit?resource=trigger:${id}`)
    assert.deepEqual(
      Object.values(audit.body).map((record) => Object(record)['action']),
      ['trigger.deleted', 'trigger.updated', 'trigger.created'],
    )
  })

  test('every field can be written and read, changed by itself, and taken away again', async () => {
    const whole = {
      events: ['pull_request', 'pull_request_comment'],
      labels: ['**', '!wip'],
      draft: 'exclude',
      commands: ['/retest', '/cancel', '/deploy staging'],
      commenters: ['@members', '@author', 'mona'],
      concurrency: { group: 'pr-${{ event.pull_request.number }}', on_conflict: 'cancel_running' },
    }
    const id = await create(whole)
    const { body } = await causes.call('GET', `${PATH}/${id}`)
    assert.deepEqual({ ...body, ...whole }, body)
    const changes = [{ labels: [] }, { draft: 'any' }, { concurrency: null }, { commands: [] }, { commenters: [] }]
    let expected: Record<string, unknown> = { ...body }
    for (const change of changes) {
      const patched = await causes.call('PATCH', `${PATH}/${id}`, change)
      expected = { ...expected, ...change, updated_at: patched.body['updated_at'] }
      assert.deepEqual(patched.body, expected, patched.text)
    }
    const refused = await causes.call('PATCH', `${PATH}/${id}`, { labels: ['a'], events: ['push'] })
    assert.deepEqual([refused.status, fieldsOf(refused.body)], [400, ['labels']])
  })

  test('a list can be narrowed to a source or a team', async () => {
    const { id, triggerId } = await aConnectedSource(causes, { name: 'narrow' }, { name: 'narrow' })
    const { body } = await causes.call('GET', `${PATH}?source_id=${id}`)
    assert.deepEqual(
      Object.values(body).map((trigger) => Object(trigger)['id']),
      [triggerId],
    )
    assert.deepEqual((await causes.call('GET', `${PATH}?team_path=acme/none`)).body, [])
  })
})

describe('what a matched trigger starts', () => {
  test('variables come from the event; a value that cannot be made starts nothing and says why', async () => {
    const variables = { BRANCH: '${{ event.branch }}', TEXT: 'as it is' }
    const declared = aDocument('vars', 'variables: { BRANCH: none, TEXT: none }\n')
    await aPipeline(db, 'acme/web/vars', declared)
    const { url, triggerId } = await aConnectedSource(
      causes,
      { name: 'vars' },
      { name: 'vars', pipeline: 'acme/web/vars', variables, repositories: ['acme/vars'] },
    )
    const repository = { full_name: 'acme/vars' }
    const send = () => deliver(causes, url, signPush({ secret: SECRET, deliveryId: randomUUID(), repository }))
    assert.equal((await send()).status, 202)
    const run = await db.selectFrom('runs').selectAll().where('trigger_id', '=', triggerId).executeTakeFirstOrThrow()
    assert.deepEqual(run.variables, { BRANCH: 'main', TEXT: 'as it is' })
    assert.equal(run.initiator_kind, 'user')
    await causes.call('PATCH', `${PATH}/${triggerId}`, { variables: { TEXT: '${{ event.pull_request.number }}' } })
    assert.equal((await send()).status, 200)
    const undeclared = { variables: { LD_PRELOAD: '/evil.so' } }
    const refused = await causes.call('PATCH', `${PATH}/${triggerId}`, undeclared)
    assert.deepEqual([refused.status, fieldsOf(refused.body)], [400, ['variables.LD_PRELOAD']])
    const stored = JSON.stringify(undeclared.variables)
    await db.updateTable('triggers').set({ variables: stored }).where('id', '=', triggerId).execute()
    const sendAndRead = async () => {
      assert.equal((await send()).status, 200)
      const [newest] = await db.selectFrom('deliveries').select('trace').orderBy('id', 'desc').limit(1).execute()
      return JSON.stringify(newest?.trace)
    }
    const sentence = 'LD_PRELOAD is not a variable of acme/web/vars'
    await until('the stored name is heard of', sendAndRead, (trace) => trace.includes(sentence))
  })

  test('an owner who lost the permission starts nothing', async () => {
    const member = await aMember(db, 'leaver', 'editor', TEAM)
    const { url } = await aConnectedSource(causes, { name: 'left' }, { name: 'left', enabled: false })
    const repositories = ['acme/widgets']
    await causes.call('POST', PATH, aNamedTrigger({ repositories }), { headers: member.headers })
    const disabled = await causes.call('PATCH', `/v1/users/${member.id}`, { disabled: true })
    assert.equal(disabled.status, 200, disabled.text)
    const send = async () => deliver(causes, url, signPush({ secret: SECRET, deliveryId: randomUUID() }))
    const before = await db.selectFrom('runs').select('id').where('initiator_id', '=', member.id).execute()
    assert.deepEqual(before, [])
    await send()
    const runs = await db.selectFrom('runs').select('id').where('initiator_id', '=', member.id).execute()
    assert.deepEqual(runs, [])
  })
})

test('the JSON Schema of manifests is public', async () => {
  const response = await causes.http.app.inject({ method: 'GET', url: '/v1/schemas/triggers.json' })
  assert.equal(response.statusCode, 200)
  assert.equal(response.json().$schema, 'https://json-schema.org/draft/2020-12/schema')
  assert.ok(response.json().properties.triggers)
})
