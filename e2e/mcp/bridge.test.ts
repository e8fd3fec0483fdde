import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { runCli } from '../house/cli.ts'
import { makeDataDir, startHouse } from '../house/house.ts'
import { surroundings } from '../house/surroundings.ts'

// `signalbox mcp serve` between clients that know stdio alone and a real control plane.

const BIN = join(import.meta.dirname, '../../cli/bin/signalbox.mjs')
const dataDir = makeDataDir()
let house = await startHouse({ dataDir })
after(async () => {
  await house.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
const env = { ...surroundings, SIGNALBOX_URL: house.url, SIGNALBOX_TOKEN: house.api.token }

for (const mode of ['legacy', 'auto'] as const) {
  test(`the official client speaks through the bridge: ${mode}`, async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const args = [BIN, 'mcp', 'serve', '--toolsets', 'runs,pipelines', '--read-only']
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { ...env } }))
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    assert.ok(names.includes('find') && names.includes('list_pipelines'))
    assert.ok(!names.some((name) => name === 'list_knowledge' || name.startsWith('plan_') || name === 'confirm_plan'))
    const { content, isError } = await client.callTool({ name: 'find', arguments: { q: 'acme/shop#12' } })
    assert.notEqual(isError, true)
    assert.match(JSON.stringify(content), /found/)
    await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /Unknown tool/)
    await client.close()
  })
}

test('the command line lists and calls the tools, and their calls', async () => {
  const run = async (...words: readonly string[]) => {
    const { exit, output } = await runCli(house.api, words)
    assert.equal(exit, 0, output)
    return output
  }
  assert.match(await run('mcp', 'tools'), /^find\truns\tread\t\//m)
  assert.match(await run('mcp', 'call', 'find', '{"q":"acme/shop#12"}'), /"found":\[\].*"explain_push"/)
  assert.match(await run('mcp', 'calls'), /^find\tanswered\t/m)
  assert.equal(await run('find', 'acme/shop#12'), '')
})

test('a control plane that is away is an answer; the bridge goes on when it is back, and ends with its input', async (t) => {
  const child = spawn(process.execPath, [BIN, 'mcp', 'serve'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  // Where the test fails it would hold this process.
  t.after(() => child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (id: number) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`)
    const { value } = await lines.next()
    // Nothing but messages is ever on the standard output.
    return JSON.parse(String(value))
  }
  assert.ok((await ask(1)).result.tools.length > 0)
  const { port } = new URL(house.url)
  const runnerPort = Number(house.runnerUrl.split(':')[1])
  await house.kill('SIGKILL')
  const away = await ask(2)
  assert.deepEqual([away.id, away.error.code], [2, 503])
  assert.match(away.error.message, /cannot be reached/)
  house = await startHouse({ dataDir, ports: { port: Number(port), runnerPort } })
  assert.ok((await ask(3)).result.tools.length > 0)
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 4, method: 'tools/list' })}\n`)
  assert.equal(JSON.parse(String((await lines.next()).value)).id, 4)
  assert.equal(await ended, 0)
})
