import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { startRunner } from './testing/runner-under-test.ts'

describe('a runner', () => {
  test('runs an assigned script and reports lines, result and outputs', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({
      fence: 7n,
      script: 'echo one; echo two >&2; printf three; echo "coverage=81" >> "$SIGNALBOX_OUTPUT"',
      outputs: [{ name: 'coverage' }],
    })
    const finished = await gateway.finished(7n)
    assert.equal(finished.result, Result.SUCCESS, finished.reason)
    assert.equal(finished.exitCode, 0)
    assert.deepEqual(gateway.texts(7n, 'stdout'), ['one', 'three'])
    assert.deepEqual(gateway.texts(7n, 'stderr'), ['two'])
    assert.deepEqual(
      finished.outputs.map(({ name, value, sensitive }) => ({ name, value, sensitive })),
      [{ name: 'coverage', value: '81', sensitive: false }],
    )
    assert.ok((gateway.attempts.get(7n)?.startedAtMs ?? 0) > Date.now() - 5000)
    assert.deepEqual(gateway.violations, [])
  })
})
