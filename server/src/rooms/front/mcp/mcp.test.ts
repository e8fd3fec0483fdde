import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { openTestHouse } from '../../../testing/test-house.ts'
import { aMemberOf } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { AT_ONCE, PER_MINUTE } from './limits/call-limits.ts'

// The endpoint as plain JSON clients meet it. The official clients and both conformance sets are in e2e/mcp.

const house = await openTestHouse({ env: { BASE_URL: 'https://ci.example.com' } })

await aTeam(house.db, 'acme')
const { token: boss } = await aMemberOf(house.db, 'boss', { '/': 'administrator' })
const { token: viewer } = await aMemberOf(house.db, 'vera', { acme: 'viewer' })
const { token: stranger } = await aMemberOf(house.db, 'stan', {})

const { token: editor } = await aMemberOf(house.db, 'edda', { acme: 'editor' })
const LIMITS = { permissions: ['run.read'], read_only: true, families: ['runs', 'pipelines', 'audit'] }

interface Hidden {
  readonly why: string
  readonly tools: readonly string[]
}

/** A token of the user behind `token`, with limits. */
async function aTokenOf(token: string, limits: object): Promise<string> {
  const { body } = await house.ask(token, 'POST', '/v1/tokens', { name: 'narrow', ...limits })
  return String(body['token'])
}

interface Sent {
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: InjectOptions['payload']
  readonly method?: 'POST' | 'GET' | 'DELETE'
}

async function send({ token = viewer, headers = {}, payload, method = 'POST' }: Sent) {
  const authorization = token === '' ? {} : { authorization: `Bearer ${token}` }
  const answer = await house.http.app.inject({
    method,
    url: '/v1/mcp',
    headers: { host: '127.0.0.1:8080', ...authorization, ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
  const isJson = /json/.test(String(answer.headers['content-type']))
  const body = isJson ? answer.json() : {}
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body }
}

const rpc = (method: string, params?: object, id: number | undefined = 1) =>
  send({ payload: { jsonrpc: '2.0', method, ...(params ? { params } : {}), ...(id === undefined ? {} : { id }) } })

async function toolNames(token: string, headers: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { body } = await send({ token, headers })
  return body.result.tools.map((tool: { name: string }) => tool.name)
}

describe('a plain JSON client', () => {
  test('an empty body lists the tools, whatever the headers of the protocol say', async () => {
    for (const headers of [{}, { 'content-type': 'text/plain' }, { 'mcp-protocol-version': '2026-07-28' }]) {
      const { status, body } = await send({ headers })
      assert.equal(status, 200)
      assert.equal(body.jsonrpc, '2.0')
      assert.equal(body.id, 0)
      assert.ok(body.result.tools.length > 0)
    }
  })

  test('a message needs neither Accept nor initialize', async () => {
    const { status, headers, body } = await rpc('tools/list')
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.deepEqual(
      body.result.tools.map((tool: { name: string }) => tool.name),
      await toolNames(viewer),
    )
  })

  test('initialize answers the version that was asked, or the newest of its era', async () => {
    const clientInfo = { name: 'plain', version: '1' }
    for (const [asked, answered] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
    ]) {
      const { body } = await rpc('initialize', { protocolVersion: asked, capabilities: {}, clientInfo })
      assert.equal(body.result.protocolVersion, answered)
      assert.equal(body.result.serverInfo.name, 'signalbox')
    }
  })

  test('a notification is taken without a body', async () => {
    const { status, text } = await send({ payload: { jsonrpc: '2.0', method: 'notifications/initialized' } })
    assert.deepEqual([status, text], [202, ''])
  })

  test('an unknown method, tool and cursor are errors of the protocol', async () => {
    assert.equal((await rpc('no/such')).body.error.code, -32_601)
    const { error } = (await rpc('tools/call', { name: 'no_such', arguments: {} })).body
    assert.deepEqual([error.code, error.message], [-32_602, 'Unknown tool: no_such'])
    assert.equal((await rpc('tools/list', { cursor: 'x' })).body.error.code, -32_602)
  })

  test('wrong arguments are an answer of the tool, which names the field', async () => {
    const { body } = await rpc('tools/call', { name: 'whoami', arguments: { no_such: 1 } })
    assert.equal(body.result.isError, true)
    assert.match(body.result.content[0].text, /"code":"invalid_request"/)
    assert.match(body.result.content[1].text, /no_such is not a known field/)
  })
})

describe('what is no message', () => {
  test('broken JSON, a repeated name and an empty batch', async () => {
    const parts: readonly [string, number][] = [
      ['{', -32_700],
      ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32_700],
      ['[]', -32_600],
      [JSON.stringify(Array.from({ length: 21 }, () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }))), -32_600],
    ]
    for (const [payload, code] of parts) {
      const { status, body } = await send({ payload })
      assert.deepEqual([status, body.error.code, body.id], [400, code, null])
    }
  })

  test('a message that is too large', async () => {
    const { status, body } = await send({ payload: ' '.repeat(1024 * 1024 + 1) })
    assert.deepEqual([status, body.code], [413, 'payload_too_large'])
  })

  test('there are no sessions to open or to end', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, headers, body } = await send({ method, token: '' })
      assert.deepEqual([status, headers['allow'], body.code], [405, 'POST', 'method_not_allowed'])
    }
  })
})

describe('who may call', () => {
  test('nobody without a valid token, and no page by its cookie', async () => {
    for (const token of ['', 'sbxu_wrong']) {
      const { status, headers } = await send({ token })
      assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer'])
    }
  })

  test('no page of another site, and no other host on loopback', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { host: 'evil.example' }]) {
      const { status, body } = await send({ headers })
      assert.deepEqual([status, body.code], [403, 'cross_site'])
    }
    for (const headers of [{ origin: 'https://ci.example.com' }, { host: 'ci.example.com' }, { host: 'localhost' }]) {
      assert.equal((await send({ headers })).status, 200)
    }
  })

  test('two tokens with different permissions see different lists', async () => {
    const [few, some] = await Promise.all([toolNames(stranger), toolNames(viewer)])
    assert.ok(some.length > few.length)
    assert.ok(few.every((name) => some.includes(name)))
    assert.ok(few.includes('whoami') && !few.includes('list_runs'))
    assert.deepEqual(some, some.toSorted())
  })

  test('a hidden tool and a missing one are answered alike', async () => {
    const call = (name: string) =>
      send({ token: stranger, payload: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name } } })
    const [hidden, missing] = await Promise.all([call('list_runs'), call('list_nuns')])
    assert.equal(hidden.text.replace('list_runs', 'list_nuns'), missing.text)
  })

  test('a grant that was given or taken changes the next list', async () => {
    const { id, token } = await aMemberOf(house.db, 'gwen', {})
    const before = await toolNames(token)
    const grant = { subject: `user:${id}`, role: 'viewer', team_path: 'acme' }
    const { body } = await house.ask(boss, 'POST', '/v1/grants', grant)
    assert.deepEqual(await toolNames(token), await toolNames(viewer))
    assert.equal((await house.ask(boss, 'DELETE', `/v1/grants/${String(body['id'])}`)).status, 204)
    assert.deepEqual(await toolNames(token), before)
  })

  test('headers and limits of a token only narrow', async () => {
    const all = await toolNames(viewer)
    const runs = await toolNames(viewer, { 'x-mcp-toolsets': 'runs' })
    assert.ok(runs.length > 0 && runs.length < all.length)
    assert.deepEqual(await toolNames(viewer, { 'x-mcp-toolsets': 'all' }), all)
    const limited = await aTokenOf(viewer, { families: ['logs', 'runs'], read_only: true })
    const left = await toolNames(limited)
    assert.ok(left.length > 0 && left.length < all.length)
    assert.ok(!(await toolNames(viewer, { 'x-mcp-readonly': 'true' })).some((name) => /^(?:plan|confirm)_/.test(name)))
  })

  test('what a token is not offered is named with the reason; a limited token is not told what its owner may', async () => {
    const { body } = await house.ask(editor, 'POST', '/v1/tokens', { name: 'narrow', ...LIMITS })
    const lookAs = async (token: string) => {
      const { status, text } = await house.ask(token, 'GET', `/v1/mcp/tools?token_id=${String(body['id'])}`)
      assert.equal(status, 200, text)
      const { tools, hidden }: { tools: { name: string; places: string[] }[]; hidden: Hidden[] } = JSON.parse(text)
      assert.deepEqual(tools.find(({ name }) => name === 'find')?.places, ['/'], 'it needs no permission')
      const names = [...tools.map(({ name }) => name), ...hidden.flatMap((each) => each.tools)]
      assert.deepEqual(names.toSorted(), await toolNames(boss).then((all) => [...all, 'plan_approval'].toSorted()))
      return (tool: string) => hidden.find((each) => each.tools.includes(tool))?.why
    }
    const why = await lookAs(editor)
    const of = [
      'list_runs',
      'read_log',
      'plan_pipeline',
      'list_pipelines',
      'list_audit',
      'plan_approval',
      'confirm_plan',
    ]
    assert.deepEqual(of.map(why), [
      undefined,
      'token_families',
      'token_reads_only',
      'token_limits',
      'no_permission',
      'token_families',
      'no_plans',
    ])
    const itself = await lookAs(String(body['token']))
    assert.deepEqual([itself('list_pipelines'), itself('list_audit')], ['no_permission', 'no_permission'])
    assert.equal((await house.ask(viewer, 'GET', `/v1/mcp/tools?token_id=${String(body['id'])}`)).status, 404)
    const own = JSON.parse((await house.ask(editor, 'GET', '/v1/mcp/tools')).text).hidden
    assert.ok(own.some((each: Hidden) => each.why === 'other_kind' && each.tools.includes('plan_approval')))
  })
})

describe('each call', () => {
  test('is audited with its client, its arguments as a hash, its size and its outcome', async () => {
    const headers = { 'user-agent': 'agent/1.0' }
    const params = { name: 'whoami', arguments: {} }
    await send({ headers, payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
    const rows = await house.db
      .selectFrom('audit_records')
      .select(['actor_name', 'resource_id', 'after'])
      .where('action', '=', 'tool.called')
      .orderBy('id', 'desc')
      .execute()
    const { after, ...row } = rows[0] ?? { after: undefined }
    assert.deepEqual(row, { actor_name: 'vera', resource_id: 'whoami' })
    assert.partialDeepStrictEqual(after, { client: 'agent/1.0', tool: 'whoami', outcome: 'answered', plan_id: null })
    const calls = JSON.parse((await house.ask(viewer, 'GET', '/v1/mcp/calls')).text)
    assert.partialDeepStrictEqual(calls[0], { tool: 'whoami', client: 'agent/1.0', outcome: 'answered' })
    const others: unknown = JSON.parse((await house.ask(stranger, 'GET', '/v1/mcp/calls')).text)
    assert.ok(Array.isArray(others) && others.every((call) => Object(call).subject === 'stan'))
  })

  test('of a hidden tool leaves a trace, and completions are calls', async () => {
    const { token } = await aMemberOf(house.db, 'sam', {})
    await send({ token, payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_log' } } })
    const ref = { type: 'ref/resource', uri: 'signalbox://pipelines/{+path}' }
    const params = { ref, argument: { name: 'path', value: '' } }
    const { body } = await rpc('completion/complete', params)
    assert.deepEqual(body.result.completion.values, [])
    const rows = await house.db
      .selectFrom('audit_records')
      .select(['actor_name', 'resource_id'])
      .where('action', '=', 'tool.called')
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    assert.deepEqual(rows, [
      { actor_name: 'vera', resource_id: 'completion' },
      { actor_name: 'sam', resource_id: 'read_log' },
    ])
  })

  test('whose record cannot be stored has no answer, is told so, and gives its turn back', async () => {
    const call = { name: 'whoami', arguments: {} }
    await sql`alter table audit_records add constraint no_tools check (action <> 'tool.called') not valid`.execute(
      house.db,
    )
    const kept = await rpc('tools/call', call)
    const unknown = await rpc('tools/call', { ...call, name: 'launch_rocket' })
    await sql`alter table audit_records drop constraint no_tools`.execute(house.db)
    assert.equal(kept.body.result.isError, true)
    assert.match(kept.text, /The record of this call cannot be stored right now, so its answer is kept back\./)
    assert.doesNotMatch(kept.text + unknown.text, /vera|no_tools|audit_records/)
    const several = await Promise.all(Array.from({ length: AT_ONCE }, () => rpc('tools/call', call)))
    for (const { body } of several) assert.equal(body.result.isError, false)
  })

  test('beyond the limit of its token is told when to come back', async () => {
    const token = await aTokenOf(boss, {})
    const texts: string[] = []
    // Of confirmations the fewest are allowed, and one comes back each six seconds: few calls show it on a slow machine, too.
    while (texts.length < 100 && !texts.at(-1)?.includes('mcp.too_many_calls')) {
      const params = { name: 'confirm_plan', arguments: {} }
      const { body } = await send({ token, payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
      texts.push(body.result.content[0].text)
    }
    assert.match(texts.at(-1) ?? '', /"code":"mcp.too_many_calls".*"retry_after_seconds":\d/)
    assert.ok(texts.length > PER_MINUTE.confirm, `the call ${texts.length} is beyond ${PER_MINUTE.confirm}`)
    assert.equal((await send({ token })).status, 200)
  })
})
