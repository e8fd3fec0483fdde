import assert from 'node:assert/strict'
import { existsSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { eventually } from '../../testing/eventually.ts'
import { freePort } from '../../testing/free-port.ts'
import type { RunnerUnderTest } from '../../testing/runner-under-test.ts'
import { startRunner } from '../../testing/runner-under-test.ts'
import type { TestPodman } from './testing/podman.ts'
import { startPodman, withoutPodman } from './testing/podman.ts'

interface TaskInit {
  script: string
  runId?: string
  environment?: Record<string, string>
  outputs?: { name: string }[]
  maskedValues?: string[]
  timeoutSeconds?: number
  graceSeconds?: number
}
interface LimitsInit {
  cpus?: number
  memoryMb?: number
  pids?: number
  shmMb?: number
  tmpfsMb?: Record<string, number>
  ulimits?: Record<string, number>
}
interface ContainerInit {
  image?: string
  user?: string
  network?: string
  readOnly?: boolean
  limits?: LimitsInit
  services?: {
    name: string
    image: string
    environment?: Record<string, string>
    command: string[]
    limits?: LimitsInit
  }[]
}

const tiny = 'localhost/tiny:1'
/** Wants 200 MB at once: a shell that gathers as much takes a busy machine longer than a test waits. */
const HUNGRY = 'tail -c 200000000 /dev/zero'

describe('tasks in containers', { skip: withoutPodman(), concurrency: 3 }, () => {
  let podman: TestPodman
  let runner: RunnerUnderTest
  let lastFence = 0n

  before(async () => {
    podman = await startPodman()
    podman.makeImage(tiny)
    podman.makeImage('localhost/app:1', 'USER app')
    podman.makeImage('localhost/bare:1', 'ENV PATH=/nowhere')
    runner = await startRunner({
      containerHost: podman.host,
      containerNetwork: 'none',
      capacity: 32,
      taskTimezone: 'Asia/Kolkata',
    })
    await runner.gateway.connectedEngine()
  })
  after(async () => {
    await runner?.[Symbol.asyncDispose]()
    await podman?.[Symbol.asyncDispose]()
  })

  /** Gives the runner a task in a container, of a run of its own where none is named. */
  const assign = (init: TaskInit, container: ContainerInit = {}): bigint => {
    const fence = ++lastFence
    const runId = `run-${fence}`
    runner.gateway.assign({ fence, runId, ...init, container: { image: tiny, ...container } })
    return fence
  }
  const finish = async (init: TaskInit, container?: ContainerInit) => {
    const fence = assign(init, container)
    const { result, reason, exitCode, outputs } = await runner.gateway.finished(fence)
    const texts = (stream: string) => runner.gateway.texts(fence, stream)
    return {
      fence,
      result,
      reason,
      exitCode,
      outputs,
      stdout: texts('stdout'),
      stderr: texts('stderr'),
      system: texts('system'),
    }
  }
  const containerOf = (fence: bigint): string =>
    podman.run('ps', '--all', '--quiet', '--filter', `label=signalbox.fence=${fence}`)
  const inspect = (fence: bigint, format: string): string =>
    podman.run('inspect', '--format', format, containerOf(fence))

  test('are announced, because an engine answers', () => {
    assert.deepEqual(runner.gateway.hellos.at(-1)?.executors, ['host', 'container'])
  })

  test('run, write lines of both streams and outputs, and leave nothing', async () => {
    const done = await finish({
      script: 'echo one; echo two >&2; printf three; echo "coverage=81" >> "$SIGNALBOX_OUTPUT"',
      outputs: [{ name: 'coverage' }],
    })
    assert.deepEqual([done.result, done.reason, done.exitCode], [Result.SUCCESS, '', 0])
    assert.deepEqual([done.stdout, done.stderr], [['one', 'three'], ['two']])
    assert.deepEqual(
      done.outputs.map(({ name, value }) => [name, value]),
      [['coverage', '81']],
    )
    assert.equal(containerOf(done.fence), '')
  })

  test('fail with the exit code of the script, which ends at the first command that fails', async () => {
    const done = await finish({ script: 'echo before; (exit 7); echo after' })
    assert.deepEqual([done.result, done.exitCode], [Result.FAILURE, 7])
    assert.equal(done.reason, 'The script ended with exit code 7.')
    assert.deepEqual(done.stdout, ['before'])
  })

  test('have the declared environment and that of the image, and of the runner its time zone alone', async () => {
    const { stdout } = await finish({
      script: 'env | sort; pwd; id -u',
      environment: { GREETING: 'a "b" $c\nd', CI: 'no' },
    })
    const own = stdout.filter((line) => !/^(PATH|PWD|SHLVL|HOSTNAME|container|TERM|_)=/.test(line))
    assert.deepEqual(own, [
      'CI=no',
      'GREETING=a "b" $c',
      'HOME=/workspace',
      'SIGNALBOX=true',
      'SIGNALBOX_ATTEMPT=1',
      `SIGNALBOX_FENCE=${own.find((line) => line.startsWith('SIGNALBOX_FENCE='))?.slice(16)}`,
      'SIGNALBOX_OUTPUT=/signalbox/output',
      'SIGNALBOX_PIPELINE=acme/build',
      `SIGNALBOX_RUN_ID=${own.find((line) => line.startsWith('SIGNALBOX_RUN_ID='))?.slice(17)}`,
      'SIGNALBOX_SCOPE=',
      'SIGNALBOX_STEP=s',
      'SIGNALBOX_TASK=t',
      'SIGNALBOX_WORKSPACE=/workspace',
      'TZ=Asia/Kolkata',
      'd',
      '/workspace',
      '0',
    ])
  })

  test('have secrets masked, also where a write or a frame of the engine cuts them, and every byte in order', async () => {
    const done = await finish({
      script: [
        'printf "%s" "cut-me-"; sleep 0.3; echo "in-two"',
        'printf "\\342\\202"; sleep 0.3; printf "\\254\\n"',
        'i=0; while [ $i -lt 300 ]; do echo "$i $TOKEN $TOKEN $TOKEN"; i=$((i+1)); done',
        'seq 1 60000',
      ].join('\n'),
      environment: { TOKEN: 'a-long-secret-value' },
      maskedValues: ['a-long-secret-value', 'cut-me-in-two'],
    })
    assert.equal(done.result, Result.SUCCESS, done.reason)
    const numbers = Array.from({ length: 60_000 }, (_, index) => String(index + 1))
    const masked = Array.from({ length: 300 }, (_, index) => `${index} *** *** ***`)
    assert.deepEqual(done.stdout, ['***', '€', ...masked, ...numbers])
  })

  test('are timed out', async () => {
    const done = await finish({ script: 'sleep 300', timeoutSeconds: 5, graceSeconds: 1 })
    assert.deepEqual([done.result, done.reason], [Result.TIMED_OUT, 'The task took longer than its timeout of 5 s.'])
    // Where the engine takes longer than that to make the container, the next sweep finds it.
    await eventually(() => containerOf(done.fence) === '', 'its container is gone')
  })

  test('that the engine cannot start say why, in its own words', async () => {
    const { result, reason } = await finish({ script: 'true' }, { limits: { ulimits: { nofile: 2_000_000_000 } } })
    assert.equal(result, Result.FAILURE)
    assert.match(reason, /^The container could not be started: .*(rlimit|RLIMIT_NOFILE|operation not permitted)/i)
  })

  test('wait for memory no longer than the operator allows, and may be tried elsewhere then', async () => {
    await using small = await startRunner({
      containerHost: podman.host,
      containerNetwork: 'none',
      containersMemoryMb: 64,
      memoryPatienceSeconds: 1,
    })
    const { gateway } = small
    await gateway.connectedEngine()
    const container = { image: tiny, limits: { memoryMb: 64 } }
    gateway.assign({ fence: 1n, runId: 'one', script: 'echo on; sleep 600', container })
    await gateway.until(() => gateway.texts(1n, 'stdout').length > 0, 'the first task runs')
    gateway.assign({ fence: 2n, runId: 'two', script: 'true', container, timeoutSeconds: 1 })
    const { result, reason } = await gateway.finished(2n)
    assert.equal(result, Result.LOST)
    assert.equal(gateway.attempts.get(2n)?.finished?.notBegun, true)
    assert.match(gateway.attempts.get(2n)?.waits[0] ?? '', /need 64 MB of memory; they wait until other tasks/)
    assert.match(
      reason,
      /need 64 MB of memory\. Other tasks of this runner had that memory for 1 s; the task had not begun/,
    )
  })

  test('are told to end when they are canceled, with all that they started, and killed after the grace', async () => {
    const { gateway } = runner
    // The grace is longer than any machine needs for the clean-up, and the wait is longer than the grace.
    const polite = assign({
      script: 'trap "echo cleaned; exit 0" TERM; echo on; sleep 600; echo not-reached',
      graceSeconds: 300,
    })
    const deaf = assign({ script: 'trap "" TERM; echo on; while :; do sleep 1 || :; done', graceSeconds: 1 })
    for (const fence of [polite, deaf]) {
      await gateway.until(() => gateway.texts(fence).length > 0, 'the task runs')
      gateway.send({ case: 'cancel', value: { fence, reason: 'Canceled by ada.' } })
    }
    for (const fence of [polite, deaf]) {
      const { result, reason } = await gateway.finished(fence)
      assert.deepEqual([result, reason], [Result.CANCELED, 'Canceled by ada.'])
    }
    assert.deepEqual(gateway.texts(polite, 'stdout'), ['on', 'cleaned'])
  })

  test('get no new privileges, few capabilities, an init process, and bounds on processes', async () => {
    const script =
      'cat /proc/self/status | while read n v; do case $n in NoNewPrivs:|CapBnd:) echo "$n $v";; esac; done'
    const { stdout } = await finish({ script: `${script}; cat /proc/1/comm; cat /proc/self/mounts` })
    const [bounding, noNewPrivileges, init] = stdout
    assert.equal(noNewPrivileges, 'NoNewPrivs: 1')
    const held = BigInt(`0x${bounding?.split(' ')[1]}`)
    const [sysAdmin, mknod, netRaw, chown] = [21n, 27n, 13n, 0n].map((bit) => (held >> bit) & 1n)
    assert.deepEqual([sysAdmin, mknod, netRaw, chown], [0n, 0n, 0n, 1n])
    assert.notEqual(init, 'sh')
  })

  test('write to their root unless it is read-only, and to /tmp and the workspace always', async () => {
    const script = 'touch /tmp/a /workspace/b; touch /c || echo "no c"'
    const [open, closed] = await Promise.all([finish({ script }), finish({ script }, { readOnly: true })])
    assert.deepEqual([open.result, open.stdout], [Result.SUCCESS, []])
    assert.deepEqual([closed.result, closed.stdout], [Result.SUCCESS, ['no c']])
  })

  test('run as the user of the image or of the task, who writes to the workspace and outputs', async () => {
    const script = 'id -u; mkdir -p a/b; echo x > a/b/c; echo "who=$(id -u)" >> "$SIGNALBOX_OUTPUT"'
    const outputs = [{ name: 'who' }]
    const [image, task] = await Promise.all([
      finish({ script, outputs }, { image: 'localhost/app:1' }),
      finish({ script, outputs }, { user: '2345:2345' }),
    ])
    assert.deepEqual([image.reason, image.stdout, image.outputs[0]?.value], ['', ['1000'], '1000'])
    assert.deepEqual([task.reason, task.stdout, task.outputs[0]?.value], ['', ['2345'], '2345'])
  })

  test('share the workspace of their step, in containers of any user and on the host', async () => {
    const { gateway } = runner
    const runId = 'shared'
    const first = { runId, sharedWorkspace: {} }
    const later = { runId, sharedWorkspace: { begun: true } }
    const root = await finish({ ...first, script: 'mkdir made; echo by-root > made/file; chmod 700 made' })
    const script = 'cat made/file; echo by-app >> made/file'
    const app = await finish({ ...later, script }, { image: 'localhost/app:1' })
    assert.deepEqual([root.reason, app.reason, app.stdout], ['', '', ['by-root']])
    const fence = ++lastFence
    gateway.assign({ fence, ...later, script: 'cat made/file; rm -r made; pwd' })
    assert.equal((await gateway.finished(fence)).reason, '')
    const [byRoot, byApp, directory = ''] = gateway.texts(fence, 'stdout')
    assert.deepEqual([byRoot, byApp], ['by-root', 'by-app'])
    const last = await finish({ ...later, script: 'mkdir -p left/over; touch left/over/file; chmod 700 left' })
    assert.equal(last.reason, '')
    assert.ok(existsSync(directory))
    gateway.send({ case: 'workspaceOver', value: { runId, step: 's' } })
    await eventually(() => !existsSync(directory), 'the workspace is gone')
  })

  test('are cut off from the network, or use that of the machine', async () => {
    const script = 'readlink /proc/self/ns/net; while read name rest; do echo $name; done < /proc/net/dev'
    const [none, host] = await Promise.all([
      finish({ script }, { network: 'none' }),
      finish({ script }, { network: 'host' }),
    ])
    const machine = readlinkSync('/proc/self/ns/net')
    assert.equal(host.stdout[0], machine)
    assert.notEqual(none.stdout[0], machine)
    assert.deepEqual(none.stdout.slice(3), ['lo:'])
  })

  test('are given the memory and processors of the task, and the labels that find them again', async () => {
    const fence = assign(
      { runId: 'limited', script: 'echo on; until [ -e go ]; do sleep 0.05; done' },
      { limits: { memoryMb: 64, cpus: 0.5 } },
    )
    await runner.gateway.until(() => runner.gateway.texts(fence).length > 0, 'the task runs')
    assert.equal(inspect(fence, '{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}}'), `${64 * 2 ** 20} ${64 * 2 ** 20}`)
    assert.equal(inspect(fence, '{{.HostConfig.NanoCpus}}'), '500000000')
    assert.equal(inspect(fence, '{{.HostConfig.PidsLimit}}'), '4096')
    const label = (name: string) => inspect(fence, `{{index .Config.Labels "signalbox.${name}"}}`)
    assert.deepEqual(['runner', 'run', 'attempt', 'fence'].map(label), [
      runner.gateway.runnerId,
      'limited',
      'a',
      String(fence),
    ])
    const workspace = inspect(fence, '{{range .Mounts}}{{if eq .Destination "/workspace"}}{{.Source}}{{end}}{{end}}')
    writeFileSync(join(workspace, 'go'), '')
    assert.equal((await runner.gateway.finished(fence)).reason, '')
  })

  test('that use more memory than they may are killed, and it is said', async () => {
    const done = await finish(
      { script: `${HUNGRY}; echo survived` },
      // The engine's own start in the container's group has room in it, also on a machine that is short of memory.
      { limits: { memoryMb: 64 } },
    )
    assert.deepEqual([done.result, done.exitCode, done.stdout], [Result.FAILURE, 137, []], done.reason)
    assert.match(done.reason, /^The task was killed.*it used more than 64 MB\.$/)
  })

  test('and their services have limits where nobody names any, and those of the document where somebody does', async () => {
    const services = [
      { name: 'plain', image: tiny, command: ['sleep', '300'] },
      { name: 'small', image: tiny, command: ['sleep', '300'], limits: { memoryMb: 32, pids: 20, cpus: 0.5 } },
    ]
    // An engine gives each limit that is not named its own value, which not every machine has to give.
    const own = { shmMb: 16, tmpfsMb: { '/fast': 8 }, ulimits: { nofile: 512, nproc: 500, core: 0 } }
    const fence = assign(
      {
        script: 'ulimit -n; ulimit -c; wc -l < /proc/mounts > /dev/null; echo on; until [ -e go ]; do sleep 0.05; done',
      },
      { services, limits: own },
    )
    await runner.gateway.until(() => runner.gateway.texts(fence, 'stdout').includes('on'), 'the task runs')
    assert.deepEqual(runner.gateway.texts(fence, 'stdout').slice(0, 2), ['512', '0'])
    const ids = containerOf(fence).split('\n')
    assert.equal(ids.length, 3)
    const limits = ids.map((id) =>
      podman
        .run(
          'inspect',
          '--format',
          '{{.HostConfig.Memory}} {{.HostConfig.PidsLimit}} {{.HostConfig.NanoCpus}} {{.HostConfig.ShmSize}}',
          id,
        )
        .split(' ')
        .map(Number),
    )
    for (const each of limits)
      assert.ok(
        each.every((limit) => limit > 0),
        JSON.stringify(limits),
      )
    assert.ok(limits.some(([memory, pids, cpus]) => memory === 32 * 2 ** 20 && pids === 20 && cpus === 5e8))
    const workspace = podman.run(
      'inspect',
      '--format',
      '{{range .Mounts}}{{if eq .Destination "/workspace"}}{{.Source}}{{end}}{{end}}',
      ...ids,
    )
    writeFileSync(join(workspace.trim(), 'go'), '')
    assert.equal((await runner.gateway.finished(fence)).reason, '')
  })

  test('have the time zone of the runner as TZ, unless they name another one', async () => {
    assert.deepEqual((await finish({ script: 'echo $TZ' })).stdout, ['Asia/Kolkata'])
    assert.deepEqual((await finish({ script: 'echo $TZ', environment: { TZ: 'UTC' } })).stdout, ['UTC'])
  })

  test('cannot fill the memory of the machine by /dev/shm or by a folder in memory', async () => {
    const script = 'for at in /dev/shm /fast; do head -c 40000000 /dev/zero > $at/x || echo $at is full; done'
    const done = await finish({ script }, { limits: { shmMb: 8, tmpfsMb: { '/fast': 8 } } })
    assert.deepEqual(done.stdout, ['/dev/shm is full', '/fast is full'])
  })

  test('have services that can neither fork without end nor take more memory than is theirs', async () => {
    const bomb = 'f() { sleep 300 & f; }; f'
    const services = [
      { name: 'bomb', image: tiny, command: ['sh', '-c', `${bomb}; sleep 300`], limits: { pids: 30 } },
      { name: 'hungry', image: tiny, command: ['sh', '-c', `exec ${HUNGRY}`], limits: { memoryMb: 32 } },
    ]
    const done = await finish({ script: 'sleep 1; echo lives' }, { services })
    // A service that is killed before the task begins ends it; later it does not.
    if (done.result === Result.SUCCESS) assert.deepEqual(done.stdout, ['lives'])
    else assert.match(done.reason, /The service (bomb|hungry) ended with exit code/)
    assert.equal(containerOf(done.fence), '')
  })

  test('that ask for more than this runner gives are refused with the directive and the flag', async () => {
    const done = await finish({ script: 'true' }, { limits: { memoryMb: 16_000_000 } })
    assert.match(done.reason, /need 16000000 MB of memory, .* resources, or raise --task-memory-mb of the runner\.$/)
  })

  test('whose image is missing or has no shell fail with what to do', async () => {
    const missing = await finish({ script: 'true' }, { image: 'localhost/none:9' })
    assert.match(missing.reason, /^The image localhost\/none:9 is not on the machine .+: make the image there/)
    const bare = await finish({ script: 'true' }, { image: 'localhost/bare:1' })
    assert.match(bare.reason, /The image has no shell \(sh\), and a task is a shell script\.$/)
    assert.equal(containerOf(bare.fence), '')
  })

  test('reach their services by name, once those are there, and leave none of them', async () => {
    const echo = (text: string, port: number) => ['sh', '-c', `while :; do echo ${text} | nc -l -p ${port}; done`]
    const until = (name: string, port: number) => `until nc -w 60 ${name} ${port} </dev/null; do sleep 0.1; done`
    for (const network of ['default', 'none', 'host']) {
      // In the machine's own network their ports are the machine's.
      const [dbPort, cachePort] = [await freePort(), await freePort()]
      const services = [
        { name: 'db', image: tiny, environment: { WHO: 'me' }, command: echo('"$WHO"', dbPort) },
        { name: 'cache', image: tiny, command: echo('cache', cachePort) },
      ]
      const script = `${until('db', dbPort)}; ${until('cache', cachePort)}`
      const done = await finish({ script }, { network, services })
      assert.deepEqual([network, done.reason, done.stdout], [network, '', ['me', 'cache']])
      assert.equal(containerOf(done.fence), '')
    }
  })

  test('wait until a service is healthy, where its image has a check, and fail where it does not become so', async () => {
    const from = `FROM ${tiny}`
    const check = (retries: number) =>
      `HEALTHCHECK --interval=1s --retries=${retries} CMD ["sh", "-c", "test -e /ready"]`
    podman.buildImage('localhost/slow:1', from, check(60), 'CMD ["sh", "-c", "sleep 1; touch /ready; sleep 60"]')
    podman.buildImage('localhost/sick:1', from, check(1), 'CMD ["sleep", "60"]')
    const beside = (image: string) => ({ services: [{ name: 'db', image, command: [] }] })
    const [slow, sick] = await Promise.all([
      finish({ script: 'echo ran' }, beside('localhost/slow:1')),
      finish({ script: 'echo ran' }, beside('localhost/sick:1')),
    ])
    assert.deepEqual([slow.reason, slow.stdout], ['', ['ran']])
    assert.deepEqual(
      [sick.reason, sick.stdout],
      ['The service db is not healthy, says the health check of its image.', []],
    )
  })

  test('whose service ends before they begin fail with its name and its log', async () => {
    const services = [{ name: 'db', image: tiny, command: ['sh', '-c', 'echo "no data folder"; exit 3'] }]
    const done = await finish({ script: 'echo ran' }, { services })
    assert.equal(done.reason, 'The service db ended with exit code 3 before the task began.')
    assert.deepEqual(done.stdout, [])
    assert.ok(done.system.includes('db: no data folder'), done.system.join('\n'))
    assert.equal(containerOf(done.fence), '')
  })

  test('end when their lease is lost, and nothing of them is left', async () => {
    const { gateway } = runner
    const fence = assign({ script: 'echo on; sleep 60' })
    await gateway.until(() => gateway.texts(fence).length > 0, 'the task runs')
    gateway.endLease(fence)
    await eventually(() => containerOf(fence) === '', 'its container is gone')
    assert.equal(gateway.attempts.get(fence)?.finished, undefined)
  })
})
