import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { noNewPrivileges } from '../../processes/no-new-privileges.ts'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'
import { runAs } from '../workspace/run-as.ts'

const stranger = { uid: 59_999, gid: 59_999 }

/** Leaves what root in a container could leave: a program that makes its caller root. Prints its user's id. */
const leaveSetuidRoot = (folder: string): string => {
  const program = join(folder, 'become-root')
  copyFileSync('/usr/bin/id', program)
  chmodSync(program, 0o4755)
  return program
}

const skip = process.getuid?.() !== 0 || !noNewPrivileges().held

describe('what a task executes', { skip }, () => {
  test('gives it no rights: a setuid program of root in its workspace makes nobody root', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({ fence: 1n, sharedWorkspace: {}, script: 'pwd' })
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS)
    const [workspace = ''] = gateway.texts(1n)
    const program = leaveSetuidRoot(workspace)
    chmodSync(join(workspace, '..'), 0o711)
    const outside = spawnSync(program, ['-u'], { ...stranger, encoding: 'utf8' })
    assert.equal(outside.stdout.trim(), '0', 'anybody else would be root by it')

    gateway.assign({
      fence: 2n,
      sharedWorkspace: { begun: true },
      script: './become-root -u; ./become-root -ru; ! ./become-root -u | grep -x 0',
    })
    const { result } = await gateway.finished(2n)
    assert.equal(result, Result.SUCCESS, gateway.texts(2n).join(' '))
    const [effective, real] = gateway.texts(2n)
    assert.equal(effective, real)
  })

  test('holds for what the runner itself runs on behalf of a task', async () => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o1777)
    const program = leaveSetuidRoot(folder.path)
    const said = join(folder.path, 'said')
    await runAs(stranger, '/bin/sh', ['-c', `${program} -u > ${said}`])
    assert.equal(readFileSync(said, 'utf8'), `${stranger.uid}\n`)
  })
})
