import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { requireBoundary } from '../executors/executor-choice.ts'
import { startRunner, temporaryFolder } from '../testing/runner-under-test.ts'
import { restrictedView } from './mount-view.ts'

const stranger = { uid: 59_999, gid: 59_999 }

const canMount = (): boolean => {
  using folder = temporaryFolder()
  return restrictedView(folder.path).held
}

describe('the view of a folder that tasks on the host have', { skip: !canMount() }, () => {
  test('makes nobody root by a setuid program, and opens no device, even without no_new_privs', () => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    const program = join(folder.path, 'become-root')
    copyFileSync('/usr/bin/id', program)
    chmodSync(program, 0o4755)
    const device = join(folder.path, 'null')
    assert.equal(spawnSync('mknod', ['-m', '666', device, 'c', '1', '3']).status, 0)
    const asStranger = (...words: string[]) =>
      spawnSync(words[0] ?? '', words.slice(1), { ...stranger, encoding: 'utf8' })
    assert.equal(asStranger(program, '-u').stdout.trim(), '0', 'anybody else is root by it')
    assert.equal(asStranger('/bin/sh', '-c', `: < ${device}`).status, 0)

    const { before } = restrictedView(folder.path)
    // Becomes the stranger in there only: making the view takes root.
    const script = `process.setgid(59999); process.setuid(59999); const { stdout } = require('node:child_process').spawnSync('${program}', ['-u']); const opened = require('node:child_process').spawnSync('/bin/sh', ['-c', ': < ${device}']); process.stdout.write(stdout + '' + (opened.status === 0))`
    const [file = '', ...args] = [...before, process.execPath, '-e', script]
    const inside = spawnSync(file, args, { encoding: 'utf8' })
    assert.equal(inside.stdout, '59999\nfalse', inside.stderr)
    assert.equal(asStranger(program, '-u').stdout.trim(), '0', 'nothing has changed for anybody else')
  })

  test('is what their workspace lies in', async () => {
    await using runner = await startRunner()
    const script = `findmnt --noheadings --output OPTIONS --target "$PWD" || grep "$(dirname "$(dirname "$PWD")") " /proc/self/mounts`
    runner.gateway.assign({ fence: 1n, script })
    assert.equal((await runner.gateway.finished(1n)).result, Result.SUCCESS)
    assert.match(runner.gateway.texts(1n).join(), /nosuid,nodev/)
  })
})

describe('a runner that is root', () => {
  test('runs tasks on the host and in containers only where one gains no rights by what the other leaves', () => {
    assert.throws(() => requireBoundary(new Set(['host', 'container']), false), {
      code: 'runner.rights_not_held',
      message: /Install util-linux/,
    })
    requireBoundary(new Set(['host', 'container']), true)
    requireBoundary(new Set(['container']), false)
  })
})
