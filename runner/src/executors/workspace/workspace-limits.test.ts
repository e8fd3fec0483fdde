import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import type { RunnerUnderTest } from '../../testing/runner-under-test.ts'
import { startRunner } from '../../testing/runner-under-test.ts'
import type { TestPodman } from '../container/testing/podman.ts'
import { startPodman, withoutPodman } from '../container/testing/podman.ts'

const mebibyte = 1024 * 1024
const most = { workspaceLimitBytes: 4 * mebibyte, workspaceLimitFiles: 300 }
const tooManyFiles =
  /^The workspace holds more than the 300 files that this runner allows \(--workspace-limit-files\): \d+ MiB in 30\d files and folders were counted until then\.$/
const tooManyBytes =
  /^The workspace holds more than the 4 MiB that this runner allows \(--workspace-limit-mib\): [\d,]+ MiB in \d+ files/

describe('a task whose workspace holds too much', () => {
  let runner: RunnerUnderTest
  before(async () => {
    runner = await startRunner(most)
  })
  after(() => runner[Symbol.asyncDispose]())

  const attacks = [
    ['makes more and more files', 'i=0; while :; do i=$((i+1)); : > $i; done', tooManyFiles],
    // A shell stops at a path that is too long for it; the folders stay.
    ['makes folders within folders', 'while :; do mkdir d && cd d || sleep 1; done', tooManyFiles],
    ['writes more and more', 'while :; do head -c 100000 /dev/zero >> big; done', tooManyBytes],
    ['writes to its outputs', 'while :; do head -c 100000 /dev/zero >> $SIGNALBOX_OUTPUT; done', tooManyBytes],
    [
      'makes files of names that are not UTF-8',
      'i=0; while :; do i=$((i+1)); : > "$(printf "\\351")$i"; done',
      tooManyFiles,
    ],
  ] as const
  for (const [index, [what, script, sentence]] of attacks.entries()) {
    test(`is ended with what was counted: one that ${what}, and ignores SIGTERM`, async () => {
      const fence = BigInt(index + 1)
      runner.gateway.assign({ fence, runId: `run-${index}`, script: `trap "" TERM; ${script}` })
      const { result, reason } = await runner.gateway.finished(fence)
      assert.equal(result, Result.FAILURE)
      assert.match(reason, sentence)
      assert.equal(runner.gateway.texts(fence, 'system').at(-1), reason)
    })
  }
})

describe('a task in a container whose workspace holds too much', { skip: withoutPodman() }, () => {
  test('is ended as well', async () => {
    await using podman: TestPodman = await startPodman()
    podman.makeImage('localhost/tiny:1')
    const containers = {
      containerHost: podman.host,
      containerNetwork: 'none',
      executors: ['host', 'container'] as const,
    }
    await using runner = await startRunner({ ...most, ...containers })
    const { gateway } = runner
    await gateway.connectedEngine()
    const script = 'while true; do head -c 100000 /dev/zero >> big; done'
    gateway.assign({ fence: 1n, runId: 'one', script, container: { image: 'localhost/tiny:1' } })
    assert.match((await gateway.finished(1n)).reason, tooManyBytes)
  })
})
