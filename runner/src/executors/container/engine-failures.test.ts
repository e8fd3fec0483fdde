import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Result } from '@signalbox/contracts/runner'
import { eventually } from '../../testing/eventually.ts'
import { TestGateway } from '../../testing/gateway.ts'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'
import type { TestPodman } from './testing/podman.ts'
import { startPodman, withoutPodman } from './testing/podman.ts'

const container = { image: 'localhost/tiny:1' }
const program = fileURLToPath(new URL('../../../bin/signalbox-runner.mjs', import.meta.url))

describe('an engine or a runner that dies', { skip: withoutPodman() }, () => {
  let podman: TestPodman
  before(async () => {
    podman = await startPodman()
    podman.makeImage(container.image)
  })
  afterEach(() => podman.start())
  after(() => podman?.[Symbol.asyncDispose]())

  /** The task has written something, and the engine has said that it runs, in either order. */
  const runs = async (gateway: TestGateway, fence: bigint): Promise<void> => {
    const hasBegun = () => gateway.attempts.get(fence)?.startedAtMs !== undefined && gateway.texts(fence).length > 0
    await gateway.until(hasBegun, 'the task runs')
  }
  const startProgram = (gateway: TestGateway, workDir: string): ChildProcess => {
    const executors = ['--executors', 'host,container', '--container-network', 'none']
    const flags = ['--url', gateway.url, '--work-dir', workDir, ...executors]
    return spawn(process.execPath, [program, ...flags], {
      env: { PATH: process.env['PATH'], SIGNALBOX_RUNNER_TOKEN: gateway.token, DOCKER_HOST: podman.host },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const ours = (...filters: string[]): string[] =>
    podman
      .run('ps', '--all', '--quiet', ...filters.flatMap((filter) => ['--filter', filter]))
      .split('\n')
      .filter((line) => line !== '')
  /** The process of the engine that waits for the end of a container. */
  const monitorOf = (id: string): number =>
    Number(readFileSync(podman.run('inspect', '--format', '{{.ConmonPidFile}}', id), 'utf8'))
  const noneLeft = async (): Promise<void> => {
    await eventually(() => ours().length === 0, 'no container is left')
  }

  test('what a killed runner had in containers ends with it', async () => {
    using folder = temporaryFolder()
    const gateway = new TestGateway()
    await gateway.start()
    const runner = startProgram(gateway, join(folder.path, 'work'))
    await gateway.connectedEngine()
    const services = [{ name: 'db', image: container.image, command: ['sleep', '300'] }]
    gateway.assign({ fence: 1n, script: 'echo on; sleep 300', container: { ...container, services } })
    await runs(gateway, 1n)
    assert.equal(ours().length, 2)
    runner.kill('SIGKILL')
    await once(runner, 'exit')
    await noneLeft()
    gateway.kill()
  })

  test('where the engine did not answer then, its next start ends them; other containers stay', async () => {
    using folder = temporaryFolder()
    const workDir = join(folder.path, 'work')
    const gateway = new TestGateway()
    await gateway.start()
    const first = startProgram(gateway, workDir)
    await gateway.connectedEngine()
    gateway.assign({ fence: 1n, script: 'echo on; sleep 300', container })
    await runs(gateway, 1n)
    const foreign = podman.run(
      'run',
      '--detach',
      '--network',
      'none',
      '--label',
      'signalbox.runner=another',
      container.image,
      'sleep',
      '300',
    )
    await podman.stop()
    first.kill('SIGKILL')
    await once(first, 'exit')
    assert.equal(ours('status=running').length, 2)
    gateway.endLease(1n)
    await podman.start()
    const second = startProgram(gateway, workDir)
    await gateway.until(() => gateway.hellos.length === 2, 'the runner is back')
    assert.deepEqual(gateway.hellos.at(-1)?.attempts, [])
    await eventually(() => ours().length < 2, 'what was left is gone')
    assert.deepEqual(ours(), [foreign.slice(0, 12)])
    podman.run('rm', '--force', '--time', '0', foreign)
    second.kill('SIGTERM')
    await once(second, 'exit')
    gateway.kill()
  })

  test('an engine that dies fails what it runs with that reason; what comes meanwhile waits, and runs once it is back', async () => {
    await using runner = await startRunner({ containerHost: podman.host, containerNetwork: 'none' })
    const { gateway } = runner
    await gateway.connectedEngine()
    gateway.assign({ fence: 1n, script: 'echo on; sleep 300', container })
    gateway.assign({ fence: 2n, script: 'echo on; sleep 300' })
    for (const fence of [1n, 2n]) await runs(gateway, fence)
    await podman.stop()
    const { result, reason, notBegun } = await gateway.finished(1n)
    assert.deepEqual([result, notBegun], [Result.FAILURE, false], 'it had begun')
    assert.match(reason, /^The container engine at unix:.* did not answer: .+\.$/)
    assert.equal(gateway.attempts.get(2n)?.finished, undefined, 'a task on the host goes on')
    await gateway.until(() => gateway.hellos.at(-1)?.executors.length === 1, 'it is announced no more, at once')
    // Given out before the control plane heard of it.
    gateway.assign({ fence: 3n, script: 'true', container })
    await gateway.until(() => gateway.texts(3n, 'system').length > 0, 'the log says for what it waits')
    assert.match(gateway.texts(3n, 'system').join(), /does not answer; the task waits for it, 60 s at most/)
    await podman.start()
    assert.equal((await gateway.finished(3n)).reason, '')
    await gateway.connectedEngine()
    gateway.assign({ fence: 4n, script: 'true', container })
    assert.equal((await gateway.finished(4n)).reason, '')
  })

  test('an engine that answers nothing any more is given up, and announced again when it does', async () => {
    const options = { containerHost: podman.host, containerNetwork: 'none', containerPatienceSeconds: 6 }
    await using runner = await startRunner(options)
    const { gateway } = runner
    await gateway.connectedEngine()
    gateway.assign({ fence: 1n, script: 'echo on; sleep 300', container })
    await runs(gateway, 1n)
    podman.service().kill('SIGSTOP')
    try {
      const { result, reason } = await gateway.finished(1n)
      assert.equal(result, Result.FAILURE)
      assert.match(reason, /^The container engine at unix:.* did not answer: not within 5 s\.$/)
      await gateway.until(() => gateway.hellos.at(-1)?.executors.length === 1, 'it is announced no more')
    } finally {
      podman.service().kill('SIGCONT')
    }
    await gateway.until(() => gateway.hellos.at(-1)?.executors.length === 2, 'it is announced again')
    gateway.assign({ fence: 2n, script: 'true', container })
    assert.equal((await gateway.finished(2n)).reason, '')
    await noneLeft()
  })

  test('without an engine nothing is announced, and a task that asks for one is handed back', async () => {
    await using runner = await startRunner({
      containerHost: 'unix:///nowhere/engine.sock',
      containerPatienceSeconds: 1,
    })
    const { gateway } = runner
    assert.deepEqual(gateway.hellos.at(-1)?.executors, ['host'])
    gateway.assign({ fence: 1n, script: 'true', container })
    const { result, reason, notBegun } = await gateway.finished(1n)
    assert.deepEqual([result, notBegun], [Result.LOST, true], 'another runner may take it')
    assert.equal(reason, 'The container engine of this runner did not answer for 1 s; the task had not begun.')
  })

  test('a task that is canceled while it waits for the engine ends at once', async () => {
    await using runner = await startRunner({ containerHost: 'unix:///nowhere/engine.sock' })
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'true', container })
    await gateway.until(() => gateway.texts(1n, 'system').length > 0, 'it waits')
    gateway.send({ case: 'cancel', value: { fence: 1n, reason: 'Canceled by ada.' } })
    assert.equal((await gateway.finished(1n)).result, Result.CANCELED)
  })

  test('a task whose container nobody watches any more is lost, not a success, and the container is gone', async () => {
    await using runner = await startRunner({ containerHost: podman.host, containerNetwork: 'none' })
    const { gateway } = runner
    await gateway.connectedEngine()
    gateway.assign({ fence: 1n, script: 'echo on; sleep 300; exit 1', container })
    await runs(gateway, 1n)
    const [id = ''] = ours('label=signalbox.fence=1')
    process.kill(monitorOf(id), 'SIGKILL')
    // Podman looks for the exit code that a dead monitor did not write, for 40 s and more, before it says that there is none.
    await gateway.until(() => gateway.attempts.get(1n)?.finished !== undefined, 'the attempt ends', 150_000)
    const { result, reason } = await gateway.finished(1n)
    assert.equal(result, Result.LOST, reason)
    assert.match(reason, /nobody knows how it ended|cannot say how the task ended/)
    assert.deepEqual(ours(), [])
  })

  test('a task whose container somebody removes is lost, and its reason says so', async () => {
    await using runner = await startRunner({ containerHost: podman.host, containerNetwork: 'none' })
    const { gateway } = runner
    await gateway.connectedEngine()
    gateway.assign({ fence: 1n, script: 'echo on; sleep 300', container })
    await runs(gateway, 1n)
    podman.run('rm', '--force', '--time', '0', ours('label=signalbox.fence=1')[0] ?? '')
    const { result, reason } = await gateway.finished(1n)
    assert.equal(result, Result.LOST, reason)
    assert.match(reason, /^Somebody removed the container of the task while it ran/)
  })

  test('a runner for containers alone takes nothing on the host, and the other way round', async () => {
    await using boxed = await startRunner({ containerHost: podman.host, executors: ['container'] })
    await boxed.gateway.connectedEngine()
    assert.deepEqual(boxed.gateway.hellos.at(-1)?.executors, ['container'])
    boxed.gateway.assign({ fence: 1n, script: 'true' })
    assert.match((await boxed.gateway.finished(1n)).reason, /does not run tasks on the machine itself; its operator/)
    await using bare = await startRunner({ containerHost: podman.host, executors: ['host'] })
    assert.deepEqual(bare.gateway.hellos.at(-1)?.executors, ['host'])
    bare.gateway.assign({ fence: 1n, script: 'true', container })
    assert.match((await bare.gateway.finished(1n)).reason, /does not run tasks in containers; its operator/)
  })
})
