import assert from 'node:assert/strict'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startRunner, temporaryFolder } from '../testing/runner-under-test.ts'

const LONG = 'echo begun; sleep 600'

describe('a stream to the gateway', () => {
  test('that a draining runner opens anew says that it drains', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: LONG })
    await gateway.until(() => gateway.texts(1n).length > 0, 'the task begins')
    assert.equal(gateway.hellos[0]?.draining, false)
    runner.button.press()
    await gateway.until(() => gateway.runnerDraining, 'the runner drains')
    gateway.cut()
    await gateway.until(() => gateway.hellos.length === 2, 'the runner comes back')
    assert.equal(gateway.hellos[1]?.draining, true)
    assert.deepEqual(
      gateway.hellos[1]?.attempts.map(({ fence }) => fence),
      [1n],
    )
    gateway.send({ case: 'cancel', value: { fence: 1n, reason: 'Enough.' } })
    await runner.left
  })

  test('gives up what the gateway does not name', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: LONG })
    await gateway.until(() => gateway.texts(1n).length > 0, 'the task begins')
    gateway.endLease(1n)
    for (const greetings of [2, 3]) {
      gateway.cut()
      await gateway.until(() => gateway.hellos.length === greetings, `greeting ${greetings}`)
    }
    assert.deepEqual(gateway.hellos[2]?.attempts, [])
  })

  test('begins an assignment once, however often it comes', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o777)
    gateway.assign({ fence: 1n, script: `echo begun >> ${folder.path}/begun; sleep 1` })
    gateway.resend(1n)
    await gateway.finished(1n)
    assert.equal(readFileSync(join(folder.path, 'begun'), 'utf8'), 'begun\n')
    assert.deepEqual(gateway.violations, [])
  })

  test('on which nothing is answered any more is given up', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.heartbeatSeconds = 1
    gateway.cut()
    await gateway.until(() => gateway.hellos.length === 2, 'a greeting that tells how often to beat')
    gateway.acknowledges = false
    await gateway.until(() => gateway.hellos.length === 3, 'the runner comes back by itself')
    gateway.acknowledges = true
  })
})
