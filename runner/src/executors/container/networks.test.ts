import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Result } from '@signalbox/contracts/runner'
import { eventually } from '../../testing/eventually.ts'
import { freePort } from '../../testing/free-port.ts'
import { TestGateway } from '../../testing/gateway.ts'
import type { RunnerUnderTest } from '../../testing/runner-under-test.ts'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'
import type { TestPodman } from './testing/podman.ts'
import { startPodman, withoutBridges } from './testing/podman.ts'

const image = 'localhost/tiny:1'
const web = { name: 'web', image, command: ['sh', '-c', 'echo served > /tmp/index.html; httpd -f -p 8080 -h /tmp'] }
const program = fileURLToPath(new URL('../../../bin/signalbox-runner.mjs', import.meta.url))
/** Addresses that no other test's engine gives out. */
const block = 100 + (process.pid % 100)

const listen = async (host: string): Promise<Disposable & { port: number }> => {
  const server = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.0 200 OK\r\n\r\nadmin\n'))
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('it listens nowhere')
  return { port: address.port, [Symbol.dispose]: () => void server.close() }
}

/** The rules of runners of this machine that are no test's. */
const standing = spawnSync('nft', ['list', 'table', 'inet', 'signalbox'], { encoding: 'utf8' }).stdout
const deleteRules = () => spawnSync('nft', ['delete', 'table', 'inet', 'signalbox'])

after(() => {
  deleteRules()
  if (standing !== '') spawnSync('nft', ['-f', '-'], { input: standing })
})

describe('networks of tasks in containers', { skip: withoutBridges() }, () => {
  let podman: TestPodman
  let runner: RunnerUnderTest
  let lastFence = 0n

  before(async () => {
    podman = await startPodman({ addresses: `10.${block}.0.0/16` })
    podman.makeImage(image)
    runner = await startRunner({ containerHost: podman.host })
    await runner.gateway.connectedEngine()
  })
  after(async () => {
    await runner?.[Symbol.asyncDispose]()
    await podman?.[Symbol.asyncDispose]()
  })

  const start = (script: string, services: (typeof web)[] = []): bigint => {
    const fence = ++lastFence
    runner.gateway.assign({ fence, runId: `run-${fence}`, script, container: { image, services } })
    return fence
  }
  const finish = async (script: string, services?: (typeof web)[]) => {
    const fence = start(script, services)
    const { result, reason } = await runner.gateway.finished(fence)
    return { fence, result, reason, lines: runner.gateway.texts(fence, 'stdout') }
  }
  /** A task that goes on, with a service; the address of both. */
  const startServed = async () => {
    const fence = start('wget -q -O - http://web:8080/; ip -4 -o addr show eth0; sleep 300', [web])
    const lines = () => runner.gateway.texts(fence, 'stdout')
    await runner.gateway.until(() => lines().length >= 2, 'the task reaches its service')
    assert.equal(lines()[0], 'served')
    return { fence, address: / inet ([0-9.]+)/.exec(lines()[1] ?? '')?.[1] ?? '' }
  }
  const cancel = async (fence: bigint): Promise<void> => {
    runner.gateway.send({ case: 'cancel', value: { fence, reason: 'Enough.' } })
    await runner.gateway.finished(fence)
  }
  const networks = (...filters: string[]): string[] =>
    podman
      .run('network', 'ls', '--quiet', ...filters.flatMap((filter) => ['--filter', filter]))
      .split('\n')
      .filter((name) => name.startsWith('signalbox-'))
  const ask = (host: string, port: number): string =>
    `nc -w 20 ${host} ${port} < /dev/null > /dev/null && echo reached || echo refused`
  /** Asks the machine at the address by which the network goes on. */
  const askGateway = (port: number): string => `set -- $(ip route); echo $3; ${ask('$3', port)}`
  const refusedBy = (lines: readonly string[]): void => {
    assert.match(lines[0] ?? '', new RegExp(`^10[.]${block}[.]`))
    assert.deepEqual(lines.slice(1), ['refused'])
  }

  test('a service is reached by its own task, and by no task of another run', async () => {
    const { fence, address } = await startServed()
    const other = await finish(ask(address, 8080))
    assert.deepEqual(other.lines, ['refused'])
    await cancel(fence)
  })

  test('the engine keeps them apart by itself, also where there are no rules', async () => {
    const { fence, address } = await startServed()
    const [name = ''] = networks(`label=signalbox.fence=${fence}`)
    assert.match(podman.run('network', 'inspect', '--format', '{{.NetworkInterface}}', name), /^sbx-[0-9a-f]{10}$/)
    podman.run('network', 'create', '--opt', 'isolate=true', 'apart')
    deleteRules()
    // Podman drops what it refuses: a try has no end of its own.
    const attack = `nc -w 2 ${address} 8080 < /dev/null > /dev/null && echo reached || echo refused`
    assert.equal(podman.run('run', '--rm', '--network', 'apart', image, 'sh', '-c', attack), 'refused')
    podman.run('network', 'rm', 'apart')
    await cancel(fence)
  })

  test('a container that is not of a task does not reach a service either', async () => {
    const { fence, address } = await startServed()
    podman.run('network', 'create', 'foreign')
    const asked = podman.run('run', '--rm', '--network', 'foreign', image, 'sh', '-c', ask(address, 8080))
    assert.equal(asked, 'refused')
    podman.run('network', 'rm', 'foreign')
    await cancel(fence)
  })

  test('what the machine listens with on all addresses is reached by none of them', async () => {
    using machine = await listen('0.0.0.0')
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    const outside = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
    const atGateway = await finish(askGateway(machine.port))
    const atOutside = await finish(ask(outside, machine.port))
    refusedBy(atGateway.lines)
    assert.deepEqual(atOutside.lines, ['refused'])
  })

  test('nor by the address that every bridge has in IPv6', async (context) => {
    using machine = await listen('::')
    const { fence } = await startServed()
    const [name = ''] = networks(`label=signalbox.fence=${fence}`)
    const bridge = podman.run('network', 'inspect', '--format', '{{.NetworkInterface}}', name)
    const address = networkInterfaces()[bridge]?.find(({ family }) => family === 'IPv6')?.address
    const [inside = ''] = podman.run('ps', '--quiet', '--filter', `label=signalbox.fence=${fence}`).split('\n')
    const execute = (script: string): string => podman.run('exec', inside, 'sh', '-c', script)
    const isReady = () => /fe80(?!.* tentative)/.test(execute('ip -6 -o addr show eth0'))
    if (address === undefined) context.skip('the kernel has no IPv6.')
    else {
      await eventually(isReady, 'the container has its address')
      using folder = temporaryFolder()
      const answer = join(folder.path, 'answer')
      await podman.runScript(`podman exec ${inside} sh -c '${ask(`${address}%eth0`, machine.port)}' > ${answer}`)
      assert.equal(readFileSync(answer, 'utf8'), 'refused\n')
    }
    await cancel(fence)
  })

  test('nor is a port that a container of the machine publishes', async () => {
    const port = await freePort()
    podman.run('network', 'create', 'shop')
    const published = ['--publish', `${port}:8080`, '--network', 'shop']
    const shop = podman.run('run', '--detach', ...published, image, ...web.command)
    await eventually(() => podman.run('logs', shop) === '', 'it runs')
    const asked = await finish(askGateway(port))
    podman.run('rm', '--force', '--time', '0', shop)
    podman.run('network', 'rm', 'shop')
    refusedBy(asked.lines)
  })

  test('the rules are there for the next task when somebody took them away', async () => {
    deleteRules()
    using machine = await listen('0.0.0.0')
    const asked = await finish(askGateway(machine.port))
    refusedBy(asked.lines)
  })

  test('the runner says at its start that the rules hold', () => {
    const said = runner.diary.filter((line) => line.includes('cannot reach ports of this machine'))
    assert.equal(said.length, 1)
    assert.equal(runner.diary.filter((line) => line.includes('can reach ports of the engine')).length, 0)
  })

  test('a network goes with its attempt, however that ends', async () => {
    const ends = await Promise.all([
      finish('exit 3'),
      finish('true', [web]),
      finish('true', [{ ...web, command: ['false'] }]),
    ])
    assert.deepEqual(
      ends.map(({ result }) => result),
      [Result.FAILURE, Result.SUCCESS, Result.FAILURE],
    )
    assert.deepEqual(networks(), [])
  })

  test('a network of the operator is used as it is, and stays', async () => {
    podman.run('network', 'create', 'ci')
    await using other = await startRunner({ containerHost: podman.host, containerNetwork: 'ci' })
    await other.gateway.connectedEngine()
    using machine = await listen('0.0.0.0')
    other.gateway.assign({ fence: 1n, script: askGateway(machine.port), container: { image } })
    await other.gateway.finished(1n)
    // So it says what the attacks above would have said.
    assert.equal(other.gateway.texts(1n, 'stdout')[1], 'reached')
    assert.equal(podman.run('network', 'rm', 'ci'), 'ci')
  })

  const startProgram = (gateway: TestGateway, workDir: string) => {
    const flags = ['--url', gateway.url, '--work-dir', workDir, '--executors', 'container']
    return spawn(process.execPath, [program, ...flags], {
      env: { PATH: process.env['PATH'], SIGNALBOX_RUNNER_TOKEN: gateway.token, DOCKER_HOST: podman.host },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }

  test('a killed runner leaves no network', async () => {
    using folder = temporaryFolder()
    const gateway = new TestGateway()
    await gateway.start()
    const killed = startProgram(gateway, join(folder.path, 'work'))
    await gateway.connectedEngine()
    gateway.assign({ fence: 1n, script: 'echo on; sleep 300', container: { image, services: [web] } })
    await gateway.until(() => gateway.texts(1n, 'stdout').length > 0, 'the task runs')
    assert.equal(networks().length, 1)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    await eventually(() => networks().length === 0, 'no network is left')
    gateway.kill()
  })

  test('a network that was left by a start is removed by the next one; those of other runners stay', async () => {
    using folder = temporaryFolder()
    const gateway = new TestGateway()
    await gateway.start()
    const workDir = join(folder.path, 'work')
    const first = startProgram(gateway, workDir)
    await gateway.connectedEngine()
    gateway.assign({ fence: 1n, script: 'echo on; sleep 300', container: { image } })
    await gateway.until(() => gateway.texts(1n, 'stdout').length > 0, 'the task runs')
    podman.run('network', 'create', '--label', 'signalbox.runner=another', 'signalbox-another')
    await podman.stop()
    first.kill('SIGKILL')
    await once(first, 'exit')
    assert.equal(networks().length, 2)
    gateway.endLease(1n)
    await podman.start()
    const second = startProgram(gateway, workDir)
    await eventually(() => networks().length < 2, 'what was left is gone')
    assert.deepEqual(networks(), ['signalbox-another'])
    podman.run('network', 'rm', 'signalbox-another')
    second.kill('SIGTERM')
    await once(second, 'exit')
    gateway.kill()
  })
})

describe('an engine that has no addresses left', { skip: withoutBridges() }, () => {
  test('is said so, with what helps; the task does not get the network of others', async () => {
    await using podman = await startPodman({ addresses: `10.${block}.255.0/24` })
    podman.makeImage(image)
    await using runner = await startRunner({ containerHost: podman.host })
    await runner.gateway.connectedEngine()
    podman.run('network', 'create', 'last')
    runner.gateway.assign({ fence: 1n, script: 'true', container: { image } })
    const { result, reason } = await runner.gateway.finished(1n)
    assert.equal(result, Result.FAILURE)
    assert.match(
      reason,
      /^The network of the task could not be made: .*\. The engine has no address range left, .*--capacity/,
    )
    podman.run('network', 'rm', 'last')
  })
})
