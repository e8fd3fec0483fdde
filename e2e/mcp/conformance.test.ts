import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ADMIN_TOKEN, startHouse } from '../house/house.ts'
import { type BearerProxy, startBearerProxy } from './bearer-proxy.ts'

// The official programs that judge an endpoint: the conformance sets of both eras of the protocol, and the Inspector. The
// house is the product with the tools, resources and prompts that the sets ask for (`fixture-program.ts`).

const PACKAGES = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol')
const CONFORMANCE = join(PACKAGES, 'conformance/dist/index.js')
const INSPECTOR = join(PACKAGES, 'inspector/clients/launcher/build/index.js')
const EXPECTED = join(import.meta.dirname, 'expected-failures.yaml')

const house = await startHouse({ program: join(import.meta.dirname, 'fixture-program.ts') })
let proxy: BearerProxy

before(async () => {
  await house.api.send('POST', '/v1/teams', { path: 'acme' })
  proxy = await startBearerProxy(house.url, ADMIN_TOKEN)
})

after(async () => {
  proxy.close()
  await house.stop()
})

interface Ended {
  readonly code: number
  readonly output: string
}

function run(program: string, ...words: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { maxBuffer: 50_000_000, cwd: house.dataDir }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${out}\n${err}` }),
    )
  })
}

/** The scenarios that count, with their verdicts; others are run and told as well. */
function verdictsIn(output: string): Map<string, boolean> {
  const [summary = ''] = output.slice(output.indexOf('=== SUMMARY ===')).split('\nNot scored')
  return new Map([...summary.matchAll(/^([✓✗]) ([\w-]+):/gmu)].map(([, mark, name = '']) => [name, mark === '✓']))
}

describe('the official conformance set', () => {
  test('of protocol 2026-07-28 is passed wholly', async () => {
    const { code, output } = await run(CONFORMANCE, 'server', '--url', proxy.url, '--requirements', '2026-07-28')
    assert.equal(code, 0, output.slice(-6000))
    const passed = [...verdictsIn(output).values()].filter(Boolean).length
    assert.ok(passed >= 37, output.slice(-6000))
  })

  test('of protocol 2025-11-25 is passed but for what needs a session or a feature that is given up', async () => {
    const words = ['server', '--url', proxy.url, '--requirements', '2025-11-25', '--expected-failures', EXPECTED]
    const { code, output } = await run(CONFORMANCE, ...words)
    assert.equal(code, 0, output.slice(-6000))
    const verdicts = verdictsIn(output)
    assert.equal(verdicts.get('tools-call-with-progress'), true, 'progress needs a stream of events')
    const listed = [...readFileSync(EXPECTED, 'utf8').matchAll(/^ {2}- (\S+)$/gmu)].map(([, name = '']) => name)
    const failed = listed.filter((name) => verdicts.get(name) === false)
    assert.equal(failed.length, 8, failed.join(', '))
    assert.deepEqual(
      listed.filter((name) => verdicts.get(name) === true),
      ['server-sse-multiple-streams'],
      'without a session it warns, and fails nothing',
    )
  })

  test('fails where it expects what does not come', async () => {
    const file = join(house.dataDir, 'wrong.yaml')
    writeFileSync(file, 'server:\n  - ping\n')
    const words = ['server', '--url', proxy.url, '--scenario', 'ping', '--expected-failures', file]
    assert.equal((await run(CONFORMANCE, ...words)).code, 1)
  })
})

test('the official Inspector finds nothing wrong with the real tools, strictly', async () => {
  const door = [
    '--cli',
    `${house.url}/v1/mcp`,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${ADMIN_TOKEN}`,
  ]
  const listed = await run(INSPECTOR, ...door, '--method', 'tools/list', '--strict')
  assert.equal(listed.code, 0, listed.output.slice(-6000))
  for (const name of ['explain_run', 'whoami', 'confirm_plan'])
    assert.ok(listed.output.includes(`"name": "${name}"`), name)
  const called = await run(INSPECTOR, ...door, '--method', 'tools/call', '--tool-name', 'whoami')
  assert.equal(called.code, 0, called.output)
  assert.match(called.output, /bootstrap/)
})
