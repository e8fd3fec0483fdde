import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from '#platform/log'
import { createMcpEndpoint, type McpOffer, type ToolRequest, type ToolResult } from './index.ts'

const identity = { name: 'test', title: 'Test', version: '1', instructions: '' }
const endpoint = createMcpEndpoint(identity, createLog({ level: 'silent', pretty: false }))

/** Offers the one tool `call`. */
function offerOf(callTool: McpOffer['callTool'], description = ''): McpOffer {
  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  const tools = [
    {
      name: 'call',
      title: 'Call',
      description,
      inputSchema: { type: 'object' as const },
      annotations: hints,
      meta: {},
    },
  ]
  return {
    listTools: () => tools,
    callTool,
    listResources: () => [],
    listTemplates: () => [],
    readResource: async () => undefined,
    listPrompts: () => [],
    getPrompt: () => undefined,
    complete: async () => [],
  }
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'call', arguments: {} } }
const stays = new AbortController()

async function send(offer: McpOffer, message: object, { signal = stays.signal, userAgent = 'old', headers = {} } = {}) {
  const post = { body: Buffer.from(JSON.stringify(message)), headers: { 'user-agent': userAgent, ...headers }, signal }
  const { status, body } = await endpoint.answer(post, offer)
  return { status, body: body === undefined ? undefined : JSON.parse(String(body)) }
}

const never = new Promise<ToolResult>(() => undefined)

describe('a call of an older client that is ended', () => {
  for (const [what, message] of [
    ['alone', call],
    ['in a batch', [call]],
  ] as const) {
    test(`${what} is answered, and does not wait for ever`, async () => {
      const gone = new AbortController()
      const offer = offerOf(() => {
        gone.abort()
        return never
      })
      const { status, body } = await send(offer, message, { signal: gone.signal })
      assert.equal(status, 400)
      assert.equal(body.error.message, 'The call was ended before its answer: send it again.')
    })
  }
})

describe('older clients whose messages one server answers', () => {
  const asked: ToolRequest[] = []
  const answered = (text: string): ToolResult => ({ texts: [text], isError: false })

  test('get what is theirs: one waits while another is ended, fails, lists or tries to end it', async () => {
    const gate = Promise.withResolvers<ToolResult>()
    const begun = Promise.withResolvers<void>()
    const ann = offerOf((request) => {
      asked.push(request)
      begun.resolve()
      return gate.promise
    }, "Ann's")
    const waiting = send(ann, { ...call, id: 'same' }, { userAgent: "Ann's" })
    await begun.promise

    const gone = new AbortController()
    const bob = offerOf((request) => {
      asked.push(request)
      gone.abort()
      return never
    }, "Bob's")
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    const lists = await Promise.all([ann, bob, ann].map((offer) => send(offer, list)))
    assert.deepEqual(
      lists.map((each) => [each.body.id, each.body.result.tools[0].description]),
      [
        [2, "Ann's"],
        [2, "Bob's"],
        [2, "Ann's"],
      ],
    )
    const ended = await send(bob, { ...call, id: 'same' }, { signal: gone.signal, userAgent: "Bob's" })
    const failing = offerOf(() => Promise.reject(new Error('it failed')), 'of none')
    const failed = await send(failing, { ...call, id: 'same' })
    for (const id of ['same', 1, 2, 3, 4]) {
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }
      assert.equal((await send(bob, cancel)).status, 202)
      assert.equal((await send(bob, { jsonrpc: '2.0', id, result: answered("Bob's") })).status, 202)
    }
    gate.resolve(answered('for Ann'))

    const { body } = await waiting
    assert.deepEqual([body.id, body.result.content], ['same', [{ type: 'text', text: 'for Ann' }]])
    assert.equal(ended.status, 400)
    assert.deepEqual(
      [failed.body.id, failed.body.error.message],
      ['same', 'The request failed because of an error on our side: send it again later.'],
    )
    assert.deepEqual(
      asked.map(({ client, signal }) => [client, signal.aborted]),
      [
        ["Ann's", false],
        ["Bob's", true],
      ],
    )
  })

  test('are told what is wrong with a message as before', async () => {
    const offer = offerOf(async () => undefined)
    const codeOf = async (message: object) => {
      const { status, body } = await send(offer, message)
      return [status, body.id, body.error.code]
    }
    assert.deepEqual(await codeOf(call), [200, 1, -32_602])
    assert.deepEqual(await codeOf({ ...call, method: 'no/such' }), [200, 1, -32_601])
    assert.deepEqual(await codeOf({ ...call, id: null }), [400, null, -32_600])
    assert.deepEqual(await codeOf({ ...call, params: { name: 1 } }), [200, 1, -32_602])
    const unknown = await send(offer, call, { headers: { 'mcp-protocol-version': '1999-01-01' } })
    assert.deepEqual([unknown.status, unknown.body.error.code], [400, -32_000])
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: { sampling: {} },
      clientInfo: { name: 'a', version: '1' },
    }
    const { body } = await send(offer, { ...call, method: 'initialize', params })
    assert.equal(body.result.protocolVersion, '2025-06-18')
  })
})
