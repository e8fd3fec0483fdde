import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { FoundThing } from '@signalbox/contracts/search'
import { FIND_KINDS } from '@signalbox/contracts/search'
import { signPush } from './adapters/forges/github/testing.ts'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { aMember, aMemberOf } from './rooms/foundation/access/testing.ts'
import { anEnvironment } from './rooms/foundation/teams/testing.ts'
import { callTool } from './testing/call-tool.ts'
import { openTestHouse } from './testing/test-house.ts'

// GET /v1/find over all rooms: what was pasted means what its own page shows, and to a stranger nothing.

const house = await openTestHouse()
const { db, http, ask, make } = house
const root = await aMember(db, 'root', 'administrator', '/')
await anEnvironment(db, 'acme/test')
await anEnvironment(db, 'other/test')
const viewer = await aMember(db, 'viewer', 'viewer', 'acme')
const stranger = await aMemberOf(db, 'stranger', { other: 'owner' })
const SHA = `1a2b3c4d${'5'.repeat(32)}`
const FIRST = `99887766${'5'.repeat(32)}`
const SECRET = 'the-value-of-hook'
const DOCUMENT = 'name: build\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo hi }\n'
const post = (url: string, body: object): Promise<string> => make(root.token, 'POST', url, body)

const start = { pipeline: 'acme/build', scope: 'acme/test' }
const ids: Record<string, string> = {
  pipeline: await post('/v1/pipelines', { team_path: 'acme', document: DOCUMENT }),
  secret: await post('/v1/secrets', { team_path: 'acme', name: 'hook', value: SECRET }),
  profile: await post('/v1/profiles', { team_path: 'acme', name: 'node', executor: 'host' }),
  knowledge: await post('/v1/knowledge', {
    team_path: 'acme',
    name: 'rule',
    kind: 'guardrail',
    rule: 'run.scope != "x"',
    message: 'No.',
  }),
  source: await post('/v1/git-webhook-sources', {
    name: 'hub',
    provider: 'github',
    team_path: 'acme',
    credential_ref: 'secret:acme/hook',
    repository_allowlist: ['acme/*'],
  }),
  trigger: await post('/v1/triggers', {
    team_path: 'acme',
    name: 'push',
    repositories: ['acme/widgets'],
    events: ['push'],
    ...start,
  }),
  schedule: await post('/v1/schedules', {
    path: 'acme',
    name: 'nightly',
    schedule_kind: 'recurring',
    cron_expression: '@daily',
    ...start,
  }),
  external_trigger: await post('/v1/external-triggers', { team_path: 'acme', name: 'deploy', ...start }),
  service_account: await post('/v1/service-accounts', { team_path: 'acme', name: 'robot' }),
  emergency: await post('/v1/emergencies', { scope: 'acme/test', reason: 'Fire' }),
  group: await post('/v1/groups', { name: 'leads' }),
  runner: (await aRunner(db, { name: 'box', teamPath: 'acme', scopes: ['acme/**'] })).id,
  user: root.id,
}

async function push(overrides: Omit<Parameters<typeof signPush>[0], 'secret'>): Promise<void> {
  const { headers, body } = signPush({ secret: SECRET, deliveryId: randomUUID(), ...overrides })
  const url = `/v1/git/webhooks/${ids['source']}`
  const answer = await http.app.inject({ method: 'POST', url, headers, payload: body })
  assert.ok(answer.statusCode < 300, answer.body)
}
await push({ after: FIRST })
await push({ after: SHA, ref: 'refs/heads/feature/login' })
const [delivery, firstDelivery] = await listOf('/v1/deliveries')
const [event] = await listOf('/v1/events')
const [run, firstRun] = await listOf('/v1/runs')
Object.assign(ids, { delivery, event, run })
await db.updateTable('runs').set({ pull_request: 12 }).where('id', '=', String(run)).execute()
await make(root.token, 'PUT', '/v1/overrides/acme/shop', start)

async function listOf(url: string): Promise<readonly string[]> {
  const listed: readonly { readonly id?: string; readonly run_id?: string }[] = JSON.parse(
    (await ask(root.token, 'GET', url)).text,
  )
  return listed.map(({ id, run_id: runId }) => String(id ?? runId))
}

async function find(q: string, token = viewer.token): Promise<FoundThing[]> {
  const { status, text } = await ask(token, 'GET', `/v1/find?q=${encodeURIComponent(q)}`)
  assert.equal(status, 200, text)
  return JSON.parse(text).found
}

const kindsOf = (found: readonly FoundThing[]): string[] => found.map(({ kind, id }) => `${kind} ${id}`)

describe('find', () => {
  test('knows the id of a thing of each kind, and says where to read on', async () => {
    for (const kind of FIND_KINDS) {
      const id = ids[kind]
      if (id === undefined) continue
      const [best, ...more] = await find(id.toUpperCase(), root.token)
      assert.equal(best?.kind, kind)
      assert.equal(best.id, id)
      assert.equal(best.why, 'It has this id.')
      assert.deepEqual(more, [], kind)
      const page = kind === 'emergency' ? '#/t/acme/emergencies' : `/${id}`
      assert.ok(best.page.startsWith('#/') && best.page.endsWith(page), best.page)
      // The address of emergencies has none of their ids.
      if (kind === 'emergency') continue
      assert.deepEqual(kindsOf(await find(`https://ci.example.com/${best.page}?x=1`, root.token)), [`${kind} ${id}`])
    }
  })

  test('never finds secrets', async () => {
    assert.deepEqual(await find(String(ids['secret']), root.token), [])
    assert.deepEqual(kindsOf(await find('acme/hook', root.token)), [])
  })

  test('names come first, then what else it may mean', async () => {
    assert.deepEqual(kindsOf(await find('acme/build'))[0], `pipeline ${ids['pipeline']}`)
    assert.deepEqual(kindsOf(await find('nightly')), [`schedule ${ids['schedule']}`])
    assert.deepEqual(kindsOf(await find('no such thing')), [])
    assert.equal((await find('/v1/pipelines/acme%2Fbuild'))[0]?.id, ids['pipeline'])
  })

  test('a commit leads to its runs and its events', async () => {
    for (const typed of [SHA, SHA.slice(0, 7), `https://github.com/acme/widgets/commit/${SHA}`]) {
      const found = await find(typed)
      assert.ok(found.some(({ kind, id }) => kind === 'event' && id === event))
      assert.ok(found.every(({ id }) => id !== firstRun))
      if (!typed.startsWith('https')) assert.ok(found.some(({ kind, id }) => kind === 'run' && id === run))
    }
    assert.deepEqual(await find('0000000'), [])
  })

  test('a repository, a branch and a pull request lead to runs, events and the override', async () => {
    const ofRepository = await find('acme/widgets')
    assert.deepEqual(
      ofRepository.map(({ kind }) => kind),
      ['run', 'run', 'event', 'event'],
    )
    assert.match(String(ofRepository[0]?.told), /^acme\/widgets feature\/login 1a2b3c4d$/)
    assert.equal(ofRepository[0]?.name, 'acme/build')
    assert.deepEqual(kindsOf(await find('acme/widgets@feature/login')), [`run ${run}`, `event ${event}`])
    assert.deepEqual(kindsOf(await find('feature/login')), [`run ${run}`])
    assert.deepEqual(kindsOf(await find('acme/widgets#12')), [`run ${run}`])
    assert.deepEqual(kindsOf(await find('https://github.com/acme/widgets/pull/13')), [])
    const [override] = await find('ACME/shop')
    assert.deepEqual([override?.kind, override?.id, override?.page], ['override', 'acme/shop', '#/overrides/acme/shop'])
  })

  test('a stranger learns nothing, neither by an id nor by a commit, a name or a repository', async () => {
    const pasted = [
      ...FIND_KINDS.flatMap((kind) => (kind === 'user' || kind === 'group' ? [] : (ids[kind] ?? []))),
      String(firstDelivery),
      SHA,
      'acme/widgets',
      'acme/shop',
      'acme/widgets#12',
      'feature/login',
      'acme/build',
      'nightly',
      'acme',
      `#/runs/${run}`,
    ]
    for (const typed of pasted) assert.deepEqual(await find(typed, stranger.token), [], typed)
    assert.ok((await find('other', stranger.token)).length > 0)
  })

  test('sees through the limits of a token', async () => {
    const limits = { name: 'narrow', permissions: ['pipeline.read'], team_path: 'acme' }
    const made = await ask(root.token, 'POST', '/v1/tokens', limits)
    const narrow = String(made.body['token'])
    assert.deepEqual(kindsOf(await find('acme/build', narrow)), [`pipeline ${ids['pipeline']}`])
    for (const typed of [String(run), String(delivery), SHA, 'acme/widgets', 'acme/shop']) {
      assert.deepEqual(await find(typed, narrow), [], typed)
    }
  })

  test('refuses what is no question', async () => {
    assert.equal((await ask(viewer.token, 'GET', '/v1/find')).status, 400)
    assert.equal((await ask(viewer.token, 'GET', `/v1/find?q=${'a'.repeat(1001)}`)).status, 400)
    assert.equal((await ask(viewer.token, 'GET', '/v1/find?q=a&limit=21')).status, 400)
    assert.equal((await ask(undefined, 'GET', '/v1/find?q=a')).status, 401)
    const limited = await ask(root.token, 'GET', '/v1/find?q=acme&limit=1')
    assert.equal(JSON.parse(limited.text).found.length, 1)
  })

  test('is a tool, which shows the words of others apart and names the next call', async () => {
    const { facts, envelopes } = await callTool(house, viewer.token, 'find', { q: 'acme/widgets@feature/login' })
    assert.equal(facts.found[0].id, run)
    assert.doesNotMatch(JSON.stringify(facts), /feature/)
    assert.match(envelopes, /acme\/widgets feature\/login/)
    assert.deepEqual(facts.next[0].arguments, { run_id: run })
    const ofEvent = await callTool(house, viewer.token, 'find', { q: String(event) })
    assert.deepEqual(
      [ofEvent.facts.next[0].tool, ofEvent.facts.next[0].arguments],
      ['explain_push', { delivery_id: delivery }],
    )
    for (const q of ['nightly', 'acme/build', String(delivery), 'acme/shop', String(ids['knowledge'])]) {
      const [next] = (await callTool(house, viewer.token, 'find', { q })).facts.next
      const told = await callTool(house, viewer.token, next.tool, next.arguments)
      assert.ok(!told.isError, `${next.tool} ${JSON.stringify(next.arguments)}: ${JSON.stringify(told.facts)}`)
    }
    const absent = await callTool(house, viewer.token, 'find', { q: 'acme/widgets#99' })
    assert.deepEqual(absent.facts.next[0].arguments, { repository: 'acme/widgets', pull_request: 99 })
    const hidden = await callTool(house, stranger.token, 'find', { q: String(run) })
    const never = await callTool(house, stranger.token, 'find', { q: randomUUID() })
    assert.equal(hidden.without(), never.without())
  })

  test('names tools that there are', async () => {
    const listed = await http.app.inject({
      method: 'POST',
      url: '/v1/mcp',
      headers: { ...root.headers, host: '127.0.0.1:8080' },
    })
    const tools = new Set(listed.json().result.tools.map(({ name }: { name: string }) => name))
    for (const id of Object.values(ids)) {
      const named = (await find(id, root.token))[0]?.tool
      if (named !== undefined && named !== null) assert.ok(tools.has(named), named)
    }
  })
})
