import assert from 'node:assert/strict'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
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
    // A file of its own each time: a second start could not write to that of the first, which has another account.
    gateway.assign({ fence: 1n, script: `mktemp ${folder.path}/begun-XXXXXX; sleep 1` })
    gateway.resend(1n)
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS)
    assert.equal(readdirSync(folder.path).length, 1)
    assert.deepEqual(gateway.violations, [])
  })

  test('names what the runner was given before it was started again: nobody gives it that once more', async () => {
    using folder = temporaryFolder()
    const options = { workDir: join(folder.path, 'work') }
    {
      await using runner = await startRunner(options)
      runner.gateway.assign({ fence: 7n, script: LONG })
      await runner.gateway.until(() => runner.gateway.texts(7n).length > 0, 'the task begins')
      assert.deepEqual(runner.gateway.hellos[0]?.begun, [])
      runner.gateway.cut()
      await runner.gateway.until(() => runner.gateway.hellos.length === 2, 'the runner comes back')
      assert.deepEqual(runner.gateway.hellos[1]?.begun, [], 'it is in hand')
    }
    await using next = await startRunner(options)
    assert.deepEqual(next.gateway.hellos[0]?.begun, [7n])
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
