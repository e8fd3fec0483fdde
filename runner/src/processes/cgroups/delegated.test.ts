import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Result } from '@signalbox/contracts/runner'
import { hasCgroup } from '../../testing/cgroup.ts'
import { eventually } from '../../testing/eventually.ts'
import { TestGateway } from '../../testing/gateway.ts'
import { processesWith, waysToStay } from '../../testing/left-behind.ts'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { findOwnCgroup, killCgroup, removeCgroup } from './cgroup.ts'

const program = fileURLToPath(new URL('../../../bin/signalbox-runner.mjs', import.meta.url))
// No account that a root runner beside this one gives to tasks, whose processes it would end.
const account = { uid: 59_997, gid: 59_997 }
// The files that a service manager hands over to the account of a service (Delegate=yes).
const delegated = ['cgroup.procs', 'cgroup.threads', 'cgroup.subtree_control']

const makeDelegated = (): Disposable & { readonly folder: string } => {
  const own = findOwnCgroup(readFileSync('/proc/self/mountinfo', 'utf8'), readFileSync('/proc/self/cgroup', 'utf8'))
  assert.ok(own !== undefined)
  const folder = join(own, `signalbox-delegated-${process.pid}`)
  mkdirSync(folder)
  for (const path of [folder, ...delegated.map((name) => join(folder, name))]) chownSync(path, account.uid, account.gid)
  const removeAll = () => {
    killCgroup(folder)
    const below = readdirSync(folder, { recursive: true, withFileTypes: true })
    const cells = below.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
    for (const each of [...cells.toReversed(), folder]) removeCgroup(each)
  }
  return { folder, [Symbol.dispose]: removeAll }
}

const canMakeOne = hasCgroup && process.getuid?.() === 0

describe('a runner that is not root, in a cgroup that was delegated to it', { skip: !canMakeOne }, () => {
  test('ends whatever its tasks leave behind, and leaves no cgroup', async (context) => {
    using cgroup = makeDelegated()
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    const workDir = join(folder.path, 'work')
    mkdirSync(workDir)
    chownSync(workDir, account.uid, account.gid)
    const gate = join(folder.path, 'open')
    const gateway = new TestGateway()
    await gateway.start()
    const { uid, gid } = account
    const command = [process.execPath, program, '--url', gateway.url, '--work-dir', workDir, '--capacity', '16']
    const enter = `echo 0 > ${cgroup.folder}/cgroup.procs
      exec setpriv --reuid=${uid} --regid=${gid} --clear-groups -- "$@"`
    const runner = spawn('/bin/sh', ['-e', '-c', enter, 'sh', ...command, '--executors', 'host'], {
      cwd: '/',
      env: { PATH: process.env['PATH'], SIGNALBOX_RUNNER_TOKEN: gateway.token },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    runner.stderr.on('data', (part) => {
      said += String(part)
    })
    const left = once(runner, 'close')
    try {
      await Promise.race([gateway.connectedRunner(), left])
      if (!gateway.connected && /EACCES|MODULE_NOT_FOUND/.test(said)) {
        context.skip('another user of this machine cannot read the program')
        return
      }
      assert.ok(gateway.connected, said)
      assert.doesNotMatch(said, /no cgroup of their own/)
      const ways = Object.entries(waysToStay)
      const token = (index: number) => `stay-delegated-${process.pid}-${index}`
      for (const [index, [, script]] of ways.entries()) {
        const wait = `until [ -e ${gate} ]; do sleep 0.05; done`
        gateway.assign({ fence: BigInt(index + 1), script: `(${script(token(index))})\n${wait}` })
      }
      await eventually(() => ways.every((_, index) => processesWith(token(index)).length > 0), 'all stay behind')
      writeFileSync(gate, '')
      for (const [index, [way]] of ways.entries()) {
        assert.equal((await gateway.finished(BigInt(index + 1))).result, Result.SUCCESS, way)
        assert.deepEqual(processesWith(token(index)), [], way)
      }
      runner.kill('SIGTERM')
      await left
      const below = readdirSync(cgroup.folder, { withFileTypes: true })
      assert.deepEqual(
        below.filter((entry) => entry.isDirectory()),
        [],
        'the runner removes its cgroup',
      )
    } finally {
      // A runner that drained would wait for tasks that wait for the gate.
      runner.kill('SIGKILL')
      await left
      gateway.kill()
    }
  })
})
