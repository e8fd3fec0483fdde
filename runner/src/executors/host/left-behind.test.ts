import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { hasCgroup } from '../../testing/cgroup.ts'
import { eventually } from '../../testing/eventually.ts'
import { processesWith, waysToStay } from '../../testing/left-behind.ts'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'

describe('nothing that a task starts outlives its attempt', () => {
  const modes = [
    { cgroups: true, skip: !hasCgroup },
    { cgroups: false, skip: process.getuid?.() !== 0 },
  ]
  for (const { cgroups, skip } of modes) {
    describe(cgroups ? 'in a cgroup' : 'by its account', { skip, concurrency: 4 }, () => {
      for (const [index, [way, script]] of Object.entries(waysToStay).entries()) {
        test(way, async () => {
          await using runner = await startRunner({ cgroups })
          using folder = temporaryFolder()
          chmodSync(folder.path, 0o755)
          const gate = join(folder.path, 'open')
          const token = `stay-${process.pid}-${cgroups}-${index}`
          const { gateway } = runner
          const wait = `until [ -e ${gate} ]; do sleep 0.02; done`
          gateway.assign({ fence: 1n, runId: 'one', script: `(${script(token)})\n${wait}` })
          await eventually(() => processesWith(token).length > 0, 'it stays behind')
          writeFileSync(gate, '')
          assert.equal((await gateway.finished(1n)).result, Result.SUCCESS)
          assert.deepEqual(processesWith(token), [])
        })
      }
    })
  }
})
