import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../runner/src/testing/free-port.ts'
import type { Rival } from './child.ts'

/** Where the program is, if not on the path. */
const PROGRAM = process.env['BENCH_WEBHOOK'] ?? 'webhook'
const START_TIMEOUT_MS = 5000

/**
 * Debian's `webhook` (github.com/adnanh/webhook): a small server in Go that verifies a delivery and starts a command. Here
 * its command does not exist, so that it verifies and parses, and neither stores nor starts anything. Undefined where it
 * is not installed.
 */
export async function startWebhookProgram(secret: string): Promise<Rival | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-webhook-'))
  const hooks = join(folder, 'hooks.json')
  writeFileSync(hooks, JSON.stringify([hookOf(secret)]))
  const port = await freePort()
  const args = ['-hooks', hooks, '-ip', '127.0.0.1', '-port', String(port), '-urlprefix', '']
  const child = spawn(PROGRAM, args, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const missing = new Promise<boolean>((resolve) => child.once('error', () => resolve(true)))
  if (await Promise.race([missing, listens(child, port)])) {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  return {
    pid: child.pid ?? 0,
    port,
    path: '/push',
    async stop() {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function hookOf(secret: string) {
  const signature = { source: 'header', name: 'X-Hub-Signature-256' }
  return {
    id: 'push',
    'execute-command': '/nonexistent/command',
    'response-message': 'taken',
    'trigger-rule': { match: { type: 'payload-hmac-sha256', secret, parameter: signature } },
    'trigger-rule-mismatch-http-response-code': 401,
  }
}

/** Resolves with false once something listens; rejects when the program ended before. */
async function listens(child: ChildProcess, port: number): Promise<false> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`webhook ended with ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error('webhook did not listen in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
