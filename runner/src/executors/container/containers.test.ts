import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import type { RunnerUnderTest } from '../../testing/runner-under-test.ts'
import { startRunner } from '../../testing/runner-under-test.ts'
import type { TestPodman } from './testing/podman.ts'
import { startPodman, withoutPodman } from './testing/podman.ts'

const tiny = 'localhost/tiny:1'

describe('tasks in containers', { skip: withoutPodman() }, () => {
  let podman: TestPodman
  let runner: RunnerUnderTest
  before(async () => {
    podman = await startPodman()
    podman.makeImage(tiny)
    runner = await startRunner({ containerHost: podman.host, containerNetwork: 'none' })
  })
  after(async () => {
    await runner?.[Symbol.asyncDispose]()
    await podman?.[Symbol.asyncDispose]()
  })

  test('run, write lines of both streams and outputs, and end with their exit code', async () => {
    const { gateway } = runner
    gateway.assign({
      fence: 1n,
      script: 'echo one; echo two >&2; printf three; echo "coverage=81" >> "$SIGNALBOX_OUTPUT"',
      outputs: [{ name: 'coverage' }],
      container: { image: tiny },
    })
    const finished = await gateway.finished(1n)
    assert.deepEqual([finished.result, finished.reason], [Result.SUCCESS, ''])
    assert.deepEqual(gateway.texts(1n, 'stdout'), ['one', 'three'])
    assert.deepEqual(gateway.texts(1n, 'stderr'), ['two'])
    assert.deepEqual(
      finished.outputs.map(({ name, value }) => [name, value]),
      [['coverage', '81']],
    )
    gateway.assign({ fence: 2n, script: 'echo before; (exit 7); echo after', container: { image: tiny } })
    const failed = await gateway.finished(2n)
    assert.deepEqual([failed.result, failed.exitCode], [Result.FAILURE, 7])
    assert.deepEqual(gateway.texts(2n), ['before'])
    assert.equal(podman.run('ps', '--all', '--quiet'), '')
  })
})
