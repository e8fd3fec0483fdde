import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLIENTS, configOf, headersOf, isClient, siteOf } from './clients.ts'

const URL = "https://ci.example/o'hara"
const ALL = Object.keys(CLIENTS).filter(isClient)

test('the configuration of a client names the address or the bridge, and where the token comes from', () => {
  assert.equal(ALL.length, 6)
  for (const client of ALL) {
    const { text, place, token } = configOf(client, { url: URL })
    assert.ok(text.includes(client === 'claude-desktop' ? `"${URL}"` : `${URL}/v1/mcp`), client)
    if (client !== 'codex') assert.equal(typeof JSON.parse(text), 'object')
    assert.ok(place !== '' && /SIGNALBOX_TOKEN|token/.test(token))
    assert.doesNotMatch(text, /X-MCP|--toolsets|--read-only/, 'nothing is left out unasked')
  }
  assert.deepEqual(JSON.parse(configOf('claude-code', { url: URL }).text), {
    mcpServers: {
      signalbox: {
        type: 'http',
        url: `${URL}/v1/mcp`,
        headers: { Authorization: 'Bearer ${SIGNALBOX_TOKEN}' },
      },
    },
  })
})

test('each client can leave tools out', () => {
  const narrow = { toolsets: ['runs', 'logs'], readOnly: true }
  for (const client of ALL) {
    const { text } = configOf(client, { url: URL, ...narrow })
    assert.match(text, client === 'claude-desktop' ? /"--toolsets",\s+"runs,logs",\s+"--read-only"/ : /"runs,logs"/)
  }
  assert.deepEqual(headersOf(narrow), { 'X-MCP-Toolsets': 'runs,logs', 'X-MCP-Readonly': 'true' })
})

test('the address of the control plane is that of the endpoint without its path', () => {
  assert.equal(siteOf(`${URL}/v1/mcp`), URL)
  assert.ok(isClient('cursor') && !isClient('toString') && !isClient(7))
})
