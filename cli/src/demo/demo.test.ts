import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { SIGNALBOX } from '../processes/programs.ts'

interface Started {
  readonly process: ChildProcess
  readonly ended: Promise<{ code: number | null; out: string; err: string }>
  /** Resolves with the first match in the output; rejects when the program ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
}

let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-demo-'))
  // Accounts of the database and of tasks pass through.
  chmodSync(folder, 0o711)
})
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

function signalbox(...args: readonly string[]): Started {
  const child = spawn(process.execPath, [SIGNALBOX, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    child.emit('printed')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  const ended = once(child, 'close').then(([code]: unknown[]) => ({
    code: typeof code === 'number' ? code : null,
    out,
    err,
  }))
  return {
    process: child,
    ended,
    async printed(pattern) {
      for (;;) {
        const match = pattern.exec(out)
        if (match) return match
        const over = await Promise.race([once(child, 'printed').then(() => undefined), ended])
        if (over) assert.match(over.out, pattern, over.err)
      }
    },
  }
}

interface Address {
  readonly pid: number
  readonly url: string
}

/** Waits until the control plane's address file is as it should be; looks whenever its folder changes. */
async function addressWhere(good: (found: Address | undefined) => boolean): Promise<Address | undefined> {
  const watcher = watch(join(folder, '.signalbox'))
  try {
    for (;;) {
      const found = readAddress()
      if (good(found)) return found
      await once(watcher, 'change')
    }
  } finally {
    watcher.close()
  }
}

function readAddress(): Address | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, '.signalbox/address.json'), 'utf8'))
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const FREE = ['--port', '0', '--runner-port', '0', '--no-page']

describe('the demo', () => {
  test('takes a signed push to a finished run, from nothing', async () => {
    const { code, out, err } = await signalbox('demo', '--once', ...FREE).ended
    assert.equal(code, 0, `${out}\n${err}`)
    assert.match(out, /^answer +202 \{"status":"accepted"\}$/m)
    for (const task of ['check/prices', 'check/style', 'assemble/list', 'publish/release']) {
      assert.match(out, new RegExp(`^${task} started\n(.*\n)*${task} ✓ success`, 'm'))
    }
    // An output was passed on, a condition was looked at, and a secret was masked.
    assert.match(out, /^assemble\/list │ 4 prices in euro$/m)
    assert.match(out, /^step rehearse - skipped .*branch/m)
    assert.match(out, /^publish\/release │ signing in with the token \*\*\*$/m)
    assert.match(out, /^publish\/release │ publishing 4 prices of commit [0-9a-f]{7}$/m)
    assert.match(out, /^run ✓ success/m)
    const token = readFileSync(join(folder, '.signalbox/bootstrap-token'), 'utf8').trim()
    assert.equal(statSync(join(folder, '.signalbox/bootstrap-token')).mode & 0o777, 0o600)
    assert.equal(out.includes(token) || err.includes(token), false)
  })

  test('finds its data again, and the commands find it', async () => {
    const demo = signalbox('demo', ...FREE)
    await demo.printed(/Serving until Ctrl-C/)
    const { out } = await signalbox('run', 'list', '--json').ended
    const runs: unknown = JSON.parse(out)
    assert.ok(Array.isArray(runs))
    assert.equal(runs.length, 2)
    const doctor = await signalbox('doctor').ended
    assert.equal(doctor.code, 0, doctor.out)
    assert.match(doctor.out, /1 of 1 are connected/)
    demo.process.kill('SIGINT')
    const ended = await demo.ended
    assert.equal(ended.code, 0, ended.err)
    assert.match(ended.out, /^team +demo, .* \(found again\)$/m)
    assert.match(ended.out, /^pipeline +demo\/build, version 1$/m)
    assert.match(ended.out, /^git push +[0-9a-f]{10} "Bread costs 4\.30"$/m)
    assert.match(ended.out, /^run ✓ success/m)
    assert.equal(existsSync(join(folder, '.signalbox/address.json')), false)
  })
})

describe('up', () => {
  test('starts a control plane that was killed again, on the same address, and leaves nothing behind', async () => {
    const up = signalbox('up', ...FREE)
    const [, url = ''] = await up.printed(/Signalbox is up: (\S+)/)
    const first = await addressWhere((found) => found !== undefined)
    assert.ok(first)
    process.kill(first.pid, 'SIGKILL')
    const second = await addressWhere((found) => found !== undefined && found.pid !== first.pid)
    assert.equal(second?.url, url)
    const health = await fetch(`${url}/livez`)
    assert.equal(health.ok, true)
    up.process.kill('SIGKILL')
    await up.ended
    // The parent is gone: the program stops by itself when its channel ends.
    await addressWhere((found) => found === undefined)
    // The database is stopped with the control plane, before the folder goes.
    while (isAlive(second?.pid ?? 0)) await wait(20)
  })
})
