import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { noNewPrivileges, withoutNewPrivileges } from '../../processes/no-new-privileges.ts'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'

// The tasks write to folders of a group or a user that only their setuid or setgid bits give.
const queues = {
  crontab: (file: string) => `echo '* * * * * touch ${file}' | crontab -`,
  at: (file: string) => `echo 'touch ${file}' | at now + 1 minute`,
}
const isMissing = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0
const skip = process.getuid?.() !== 0 || !noNewPrivileges().held

describe('a job that somebody else would start later', { skip }, () => {
  for (const [program, leave] of Object.entries(queues)) {
    test(`is queued by no task: ${program}`, { skip: isMissing(program) }, async () => {
      using folder = temporaryFolder()
      chmodSync(folder.path, 0o755)
      await using runner = await startRunner()
      const { gateway } = runner
      gateway.assign({ fence: 1n, script: leave(join(folder.path, 'later')) })
      assert.equal((await gateway.finished(1n)).result, Result.FAILURE, gateway.texts(1n).join(' '))
    })

    test(`nor under an account that has a name: ${program}`, { skip: isMissing(program) }, () => {
      using folder = temporaryFolder()
      const { file, args } = withoutNewPrivileges('/bin/sh', ['-c', leave(join(folder.path, 'later'))])
      const env = { PATH: process.env['PATH'], HOME: '/' }
      const { status } = spawnSync(file, args, { uid: 65_534, gid: 65_534, cwd: '/', env })
      assert.notEqual(status, 0)
    })
  }
})
