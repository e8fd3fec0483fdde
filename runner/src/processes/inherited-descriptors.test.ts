import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Result } from '@signalbox/contracts/runner'
import { TestGateway } from '../testing/gateway.ts'
import { temporaryFolder } from '../testing/runner-under-test.ts'

const program = fileURLToPath(new URL('../../bin/signalbox-runner.mjs', import.meta.url))
const inherited = 251

test('a file that the starter of the runner left open is open in no task', {
  skip: process.platform !== 'linux',
}, async () => {
  using folder = temporaryFolder()
  const secret = join(folder.path, 'secret')
  writeFileSync(secret, 'of somebody else\n', { mode: 0o600 })
  const gateway = new TestGateway()
  await gateway.start()
  const open = openSync(secret, 'r')
  const stdio = Array.from({ length: inherited + 1 }, (): 'ignore' | number => 'ignore')
  stdio[inherited] = open
  const runner = spawn(
    process.execPath,
    [program, '--url', gateway.url, '--work-dir', join(folder.path, 'work'), '--executors', 'host'],
    { env: { PATH: process.env['PATH'], SIGNALBOX_RUNNER_TOKEN: gateway.token }, stdio },
  )
  closeSync(open)
  try {
    await gateway.connectedRunner()
    gateway.assign({ fence: 1n, script: `ls /proc/self/fd; ! cat /proc/self/fd/${inherited} 2> /dev/null` })
    const { result } = await gateway.finished(1n)
    assert.equal(result, Result.SUCCESS, gateway.texts(1n).join(' '))
    assert.ok(!gateway.texts(1n).includes(String(inherited)))
  } finally {
    runner.kill('SIGKILL')
    if (runner.exitCode === null && runner.signalCode === null) await once(runner, 'exit')
    gateway.kill()
  }
})
