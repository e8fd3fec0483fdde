import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Result } from '@signalbox/contracts/runner'
import { hasCgroup } from './testing/cgroup.ts'
import { TestGateway } from './testing/gateway.ts'
import { isRunning, processEnded, spawnerOf } from './testing/processes.ts'
import { temporaryFolder } from './testing/runner-under-test.ts'

const program = fileURLToPath(new URL('../bin/signalbox-runner.mjs', import.meta.url))

const startProgram = (gateway: TestGateway, workDir: string, ...flags: string[]): ChildProcess =>
  spawn(process.execPath, [program, '--url', gateway.url, '--work-dir', workDir, '--capacity', '4', ...flags], {
    env: { PATH: process.env['PATH'], SIGNALBOX_RUNNER_TOKEN: gateway.token },
    stdio: ['ignore', 'ignore', 'pipe'],
  })

// Any start of a runner ends what dead ones have left to accounts that it could use: these are used here alone.
const accounts = ['--task-uid', String(40_000 + (process.pid % 4000)), '--task-uids', '8']

const exit = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

describe('the runner as a program', () => {
  test('killed in the middle of a task, it cleans up at its next start', async () => {
    using folder = temporaryFolder()
    const workDir = join(folder.path, 'work')
    const gateway = new TestGateway()
    await gateway.start()
    const first = startProgram(gateway, workDir, '--cgroups', 'false', ...accounts)
    await gateway.connectedRunner()
    gateway.assign({ fence: 1n, script: 'touch left; sleep 300 & setsid sleep 301 & echo "$!"; echo "$$"; wait' })
    await gateway.until(() => gateway.texts(1n).length === 2, 'the task runs')
    const [escaped = '', shell = ''] = gateway.texts(1n)
    first.kill('SIGKILL')
    await exit(first)
    await gateway.until(() => !gateway.connected, 'the stream ends')
    await processEnded(Number(shell))
    assert.ok(isRunning(Number(escaped)), 'what left its group lives on')
    gateway.endLease(1n)

    const second = startProgram(gateway, workDir, '--cgroups', 'false', ...accounts)
    await gateway.connectedRunner()
    await processEnded(Number(escaped))
    assert.deepEqual(gateway.hellos.at(-1)?.attempts, [])
    gateway.assign({ fence: 2n, script: 'ls -A' })
    assert.equal((await gateway.finished(2n)).result, Result.SUCCESS)
    assert.deepEqual(gateway.texts(2n), [])

    second.kill('SIGTERM')
    assert.equal(await exit(second), 0)
    gateway.kill()
  })

  test('killed together with the process that starts tasks, it ends at its next start what has shed everything', {
    skip: !hasCgroup,
  }, async () => {
    using folder = temporaryFolder()
    const workDir = join(folder.path, 'work')
    const gateway = new TestGateway()
    await gateway.start()
    const first = startProgram(gateway, workDir, ...accounts)
    await gateway.connectedRunner()
    gateway.assign({ fence: 1n, script: 'cd /; env -i setsid sleep 302 & echo "$!"; wait' })
    await gateway.until(() => gateway.texts(1n).length === 1, 'the task runs')
    const escaped = Number(gateway.texts(1n)[0])
    // The stopped runner cannot notice the spawner's death and end the processes that the spawner started.
    first.kill('SIGSTOP')
    process.kill(spawnerOf(first.pid ?? 0), 'SIGKILL')
    first.kill('SIGKILL')
    await exit(first)
    await gateway.until(() => !gateway.connected, 'the stream ends')
    assert.ok(isRunning(escaped))
    gateway.endLease(1n)

    const second = startProgram(gateway, workDir, ...accounts)
    await gateway.connectedRunner()
    assert.ok(!isRunning(escaped), 'before anything can be assigned')
    second.kill('SIGTERM')
    assert.equal(await exit(second), 0)
    gateway.kill()
  })

  test('killed alone, it leaves nothing that runs, whatever that did to hide', { skip: !hasCgroup }, async () => {
    using folder = temporaryFolder()
    const gateway = new TestGateway()
    await gateway.start()
    const runner = startProgram(gateway, join(folder.path, 'work'))
    await gateway.connectedRunner()
    gateway.assign({ fence: 1n, script: 'cd /; env -i setsid sleep 303 & echo "$!"; wait' })
    await gateway.until(() => gateway.texts(1n).length === 1, 'the task runs')
    runner.kill('SIGKILL')
    await exit(runner)
    await processEnded(Number(gateway.texts(1n)[0]))
    gateway.kill()
  })

  test('says in one line what is wrong, and exits with 2 for a flag and 1 for a refusal', async () => {
    using folder = temporaryFolder()
    const gateway = new TestGateway()
    await gateway.start()
    const runs: readonly (readonly [number, RegExp, readonly string[]])[] = [
      [2, /--capacity must be a whole number/, ['--capacity', 'many']],
      [2, /Unknown option '--nonsense'/, ['--nonsense', '1']],
      [1, /insists on TLS/, ['--url', 'http://runners.example.com:8081']],
      [1, /The enrolment failed: .*unknown or spent/, ['--token', 'wrong']],
    ]
    await Promise.all(
      runs.map(async ([code, sentence, flags], index) => {
        const child = startProgram(gateway, join(folder.path, String(index)), ...flags)
        let text = ''
        child.stderr?.on('data', (part) => {
          text += String(part)
        })
        // The output may come after the exit.
        await once(child, 'close')
        assert.equal(child.exitCode, code, text)
        assert.match(text, sentence)
      }),
    )
    gateway.kill()
  })
})
