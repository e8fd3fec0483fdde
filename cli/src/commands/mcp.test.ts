import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { EXIT_CODES } from '../exit-codes.ts'
import { answer, refuse, type SeenRequest } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const FACTS = { runs: [{ run_id: 'r' }] }

/** Answers as the endpoint does: by the method of the message, for each of what HTTP allows it. */
function endpoint({ body, headers }: SeenRequest, response: ServerResponse): void {
  const message = JSON.parse(body)
  const { id, method, params } = message
  const result = (value: object): object => ({ jsonrpc: '2.0', id, result: value })
  if (id === undefined) {
    response.writeHead(202).end()
  } else if (method === 'initialize') {
    answer(response, 200, result({ protocolVersion: '2025-06-18', capabilities: {} }))
  } else if (method === 'tools/list') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(
      `: ping\n\nevent: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' })}\n\n`,
    )
    response.end(
      `event: message\ndata: ${JSON.stringify(result({ tools: [], seen: headers['mcp-protocol-version'] }))}\n\n`,
    )
  } else if (params?.name === 'refused') {
    const facts = { error: { code: 'not_found', status: 404 } }
    answer(response, 200, result({ isError: true, content: [{ type: 'text', text: JSON.stringify(facts) }] }))
  } else if (params?.name === 'missing') {
    answer(response, 200, { jsonrpc: '2.0', id, error: { code: -32_602, message: 'Unknown tool: missing' } })
  } else if (params?.name === 'nameless') {
    answer(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Invalid request' } })
  } else if (params?.name === 'broken') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n')
  } else if (params?.name === 'proxy') {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
  } else if (params?.name === 'limited') {
    refuse(response, 401, 'unauthenticated', 'The token is not valid.')
  } else {
    const content = [JSON.stringify(FACTS), 'a\u001b[31mline'].map((text) => ({ type: 'text', text }))
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(result({ content }), undefined, 2))
  }
}

const linesOf = (messages: readonly unknown[]): string => messages.map((each) => `${JSON.stringify(each)}\n`).join('')
const call = (id: number | string, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })

async function serve(messages: readonly unknown[], ...words: readonly string[]) {
  await using here = await stage(endpoint)
  const { code, out, err } = await here.run(['mcp', 'serve', ...words], { stdin: linesOf(messages) })
  const answers = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  const answerTo = (id: number | string | null) => answers.find((each) => each.id === id)
  return { code, out, err, answers, answerTo, seen: here.api.seen }
}

describe('the bridge', () => {
  test('hands messages on with the token, and answers back, one a line', async () => {
    const { code, err, answers, answerTo, seen } = await serve([
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call('two', 'list_runs'),
    ])
    assert.deepEqual([code, err], [0, ''])
    assert.equal(answers.length, 2)
    assert.equal(answerTo(1).result.protocolVersion, '2025-06-18')
    assert.equal(answerTo('two').result.content[0].text, JSON.stringify(FACTS))
    assert.equal(seen.length, 3)
    assert.ok(seen.every(({ headers, path }) => headers.authorization === 'Bearer t' && path === '/v1/mcp'))
    assert.match(String(seen[0]?.headers.accept), /application\/json, text\/event-stream/)
  })

  test('hands on every message of a stream', async () => {
    const { answers } = await serve([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }])
    assert.deepEqual(
      answers.map(({ id, method }) => id ?? method),
      ['notifications/x', 1],
    )
  })

  test('says in headers what the newer revision wants there, and what the client narrows', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const params = { name: 'größe', _meta }
    const words = ['--toolsets', 'runs,logs', '--read-only']
    const { seen } = await serve([{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }], ...words)
    const { headers } = seen[0] ?? assert.fail()
    assert.equal(headers['mcp-protocol-version'], '2026-07-28')
    assert.equal(headers['mcp-method'], 'tools/call')
    assert.equal(headers['mcp-name'], `=?base64?${Buffer.from('größe').toString('base64')}?=`)
    assert.equal(headers['x-mcp-toolsets'], 'runs,logs')
    assert.equal(headers['x-mcp-readonly'], 'true')
  })

  test('answers each request once, whatever comes back', async () => {
    const names = ['nameless', 'broken', 'proxy', 'limited', 'missing']
    const { answers, answerTo } = await serve(names.map((name) => call(name, name)))
    assert.equal(answers.length, names.length)
    assert.equal(answerTo('nameless').error.code, -32_600)
    assert.equal(answerTo('missing').error.code, -32_602)
    assert.equal(answerTo('broken').error.code, 503)
    assert.deepEqual([answerTo('proxy').error.code, answerTo('proxy').error.data.code], [502, 'http_502'])
    assert.match(answerTo('limited').error.message, /^The token is not valid\. Sign in/)
  })

  test('answers what is no message, and what nobody hears', async () => {
    await using here = await stage(endpoint)
    const stdin = `\n{"jsonrpc":\n[]\n${linesOf([call(1, 'list_runs'), { jsonrpc: '2.0', method: 'notifications/x' }])}`
    const env = { SIGNALBOX_URL: 'http://127.0.0.1:9' }
    const { out } = await here.run(['mcp', 'serve'], { stdin, env })
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error.code]),
      [
        [null, -32_700],
        [null, -32_700],
        [1, 503],
      ],
    )
    assert.match(answers[2].error.message, /cannot be reached.*signalbox up/)
  })
})

describe('mcp call', () => {
  test('prints what an agent would read, and obeys no terminal code in it', async () => {
    await using here = await stage(endpoint)
    const { code, out } = await here.run(['mcp', 'call', 'list_runs', '{"limit":1}'])
    assert.equal(code, 0)
    assert.match(out, /^\{"runs":/)
    assert.ok(!out.includes('\u001b'))
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? '').params, { name: 'list_runs', arguments: { limit: 1 } })
    assert.equal(JSON.parse((await here.run(['mcp', 'call', 'list_runs', '--json'])).out).content.length, 2)
  })

  test('ends as the tool did', async () => {
    await using here = await stage(endpoint)
    const codeOf = async (...words: readonly string[]) => (await here.run(['mcp', 'call', ...words])).code
    assert.equal(await codeOf('refused'), EXIT_CODES.notFound.code)
    assert.equal(await codeOf('missing'), EXIT_CODES.notFound.code)
    assert.equal(await codeOf('limited'), EXIT_CODES.refused.code)
    assert.equal(await codeOf('list_runs', 'no json'), EXIT_CODES.usage.code)
    assert.equal(await codeOf('list_runs', '[1]'), EXIT_CODES.usage.code)
  })
})

describe('mcp config', () => {
  const clients = ['claude-code', 'cursor', 'vscode', 'codex', 'claude-desktop', 'generic']

  test('knows each client, and never prints the token', async () => {
    await using here = await stage(endpoint)
    const env = { SIGNALBOX_TOKEN: 'very-secret' }
    for (const client of clients) {
      const words = ['mcp', 'config', '--client', client, '--toolsets', 'runs', '--read-only']
      const { code, out, err } = await here.run(words, { env })
      assert.equal(code, 0, err)
      assert.ok(!`${out}${err}`.includes('very-secret'))
      assert.match(
        out,
        client === 'claude-desktop' ? /"--toolsets",\s+"runs",\s+"--read-only"/ : /X-MCP-Toolsets.*runs/,
      )
      if (client !== 'codex') assert.ok(JSON.parse(out))
      if (client !== 'claude-desktop') assert.ok(out.includes(`${here.api.url}/v1/mcp`))
      assert.match(err, /^Put this into /)
    }
    assert.equal(here.api.seen.length, 0)
    assert.equal((await here.run(['mcp', 'config', '--client', 'other'])).code, EXIT_CODES.usage.code)
  })

  test('warns of an address that anybody on the way can listen at', async () => {
    await using here = await stage(endpoint)
    const { err } = await here.run(['mcp', 'config', '--url', 'http://ci.example.com'])
    assert.match(err, /in the open/)
    assert.doesNotMatch((await here.run(['mcp', 'config', '--url', 'https://ci.example.com'])).err, /in the open/)
  })
})
