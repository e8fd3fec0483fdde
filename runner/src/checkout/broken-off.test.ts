import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { spawnerOf } from '../testing/processes.ts'
import { startRunner } from '../testing/runner-under-test.ts'

test('a checkout that dies with the process that starts processes loses the attempt, and fails no task', async () => {
  await using runner = await startRunner()
  const { gateway } = runner
  // A repository that never answers.
  const asked = Promise.withResolvers<void>()
  const silent = createServer(() => asked.resolve())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const checkout = { cloneUrl: `http://127.0.0.1:${port}/a.git`, ref: 'refs/heads/main', commitSha: '1'.repeat(40) }
  gateway.assign({ fence: 1n, script: 'true', checkout })
  await asked.promise
  process.kill(spawnerOf(process.pid), 'SIGKILL')
  const { result, reason } = await gateway.finished(1n)
  silent.close()
  assert.equal(result, Result.LOST)
  assert.match(reason, /process that starts tasks ended \(SIGKILL\)/)
})
