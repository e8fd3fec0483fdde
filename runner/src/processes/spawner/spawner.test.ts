import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { isRunning, processEnded } from '../../testing/processes.ts'
import { noNewPrivileges } from '../no-new-privileges.ts'
import type { ProcessEnd, RunningProcess } from '../running-process.ts'
import { Spawner } from './spawner.ts'

const log = { info: () => {}, warn: () => {} }

class Task {
  readonly #events = new EventEmitter()
  running: RunningProcess | undefined
  text = { stdout: '', stderr: '' }
  end: ProcessEnd | undefined
  startedAtMs: number | undefined

  constructor(spawner: Spawner, script: string, environment: Record<string, string> = {}, file = '/bin/sh') {
    this.running = spawner.start(
      {
        file,
        args: ['-e', '-c', script],
        environment: { PATH: '/usr/bin:/bin', ...environment },
        directory: '/',
        owner: undefined,
      },
      {
        started: (atMs) => {
          this.startedAtMs = atMs
          this.#events.emit('change')
        },
        output: (stream, bytes) => {
          this.text[stream] += bytes.toString()
          this.#events.emit('change')
        },
        ended: (end) => {
          assert.equal(this.end, undefined, 'it ends once')
          this.end = end
          this.#events.emit('change')
        },
      },
    )
  }

  async until(condition: () => boolean): Promise<this> {
    const signal = AbortSignal.timeout(180_000)
    while (!condition()) await once(this.#events, 'change', { signal })
    return this
  }

  async ended(): Promise<ProcessEnd | undefined> {
    return (await this.until(() => this.end !== undefined)).end
  }

  async line(): Promise<string> {
    return (await this.until(() => this.text.stdout.includes('\n'))).text.stdout.trim()
  }
}

describe('the spawner', () => {
  test('tells output and end of each process apart, and why one could not be started', async () => {
    await using spawner = new Spawner({ log, broken: () => {} })
    const before = Date.now()
    const tasks = Array.from({ length: 20 }, (_, n) => new Task(spawner, `echo out ${n}; echo err ${n} >&2; exit ${n}`))
    const killed = new Task(spawner, 'kill -15 $$')
    const absent = new Task(spawner, '', {}, '/bin/absent')
    for (const [n, task] of tasks.entries()) {
      assert.deepEqual(await task.ended(), { kind: 'exited', exitCode: n })
      assert.deepEqual(task.text, { stdout: `out ${n}\n`, stderr: `err ${n}\n` })
      assert.ok((task.startedAtMs ?? 0) >= before)
    }
    assert.deepEqual(await killed.ended(), { kind: 'signaled', signal: 'SIGTERM' })
    const end = await absent.ended()
    assert.match(end?.kind === 'not_started' ? end.reason : '', /\/bin\/absent .* does not exist/)
    assert.equal(absent.startedAtMs, undefined)
  })

  test('a process has stdin, stdout and stderr, its own group and its own environment, and no more', async () => {
    await using spawner = new Spawner({ log, broken: () => {} })
    const task = new Task(spawner, 'cat; cut -d" " -f5 /proc/$$/stat; echo $$; env; ls /proc/$$/fd >&2', { A: 'b c' })
    await task.ended()
    // Higher descriptors are the shell's own, or were left open by the process that started us.
    const descriptors = task.text.stderr
      .trim()
      .split('\n')
      .filter((text) => Number(text) < 10)
    assert.deepEqual(descriptors, ['0', '1', '2'])
    const [group, pid, ...environment] = task.text.stdout.trim().split('\n')
    assert.equal(group, pid, 'it leads its group')
    const shellOwn = ['PWD', 'OLDPWD', 'SHLVL', '_']
    const names = environment.map((line) => line.split('=')[0] ?? '').filter((name) => !shellOwn.includes(name))
    assert.deepEqual(names.toSorted(), ['A', 'PATH'])
  })

  test('what a process is given stands in no argument list but its own', async () => {
    await using spawner = new Spawner({ log, broken: () => {} })
    const task = new Task(spawner, 'echo "$TOKEN" | wc -c', { TOKEN: 'a-secret-value' })
    await task.ended()
    for (const file of ['cmdline', 'environ']) {
      assert.ok(!readFileSync(`/proc/${spawner.pid}/${file}`, 'latin1').includes('a-secret-value'))
    }
  })

  test('what it starts can gain no rights by what it executes', { skip: !noNewPrivileges().held }, async () => {
    await using spawner = new Spawner({ log, broken: () => {} })
    const task = new Task(spawner, 'grep NoNewPrivs /proc/self/status')
    await task.ended()
    assert.match(task.text.stdout, /^NoNewPrivs:\s1$/m)
  })

  test('a process that is stopped before it runs, is stopped as soon as it does', async () => {
    await using spawner = new Spawner({ log, broken: () => {} })
    const task = new Task(spawner, 'sleep 60')
    task.running?.signal('SIGKILL')
    assert.deepEqual(await task.ended(), { kind: 'signaled', signal: 'SIGKILL' })
  })

  test('output that is paused waits in the pipe, and others go on', async () => {
    await using spawner = new Spawner({ log, broken: () => {} })
    const flood = new Task(spawner, 'echo begin; head -c 20000000 /dev/zero; echo end >&2')
    await flood.until(() => flood.text.stdout !== '')
    flood.running?.pause(true)
    const other = new Task(spawner, 'echo other')
    assert.deepEqual(await other.ended(), { kind: 'exited', exitCode: 0 })
    assert.ok(flood.text.stdout.length < 10_000_000, 'the rest waits')
    assert.equal(flood.end, undefined)
    flood.running?.pause(false)
    assert.deepEqual(await flood.ended(), { kind: 'exited', exitCode: 0 })
    assert.equal(flood.text.stdout.length, 20_000_006)
  })

  test('killed, its processes are killed and told as broken off; the next start makes a new one', async () => {
    let broken = 0
    await using spawner = new Spawner({ log, broken: () => broken++ })
    const task = new Task(spawner, 'echo $$; sleep 60')
    const pid = Number(await task.line())
    const first = spawner.pid ?? 0
    process.kill(first, 'SIGKILL')
    const end = await task.ended()
    assert.match(end?.kind === 'broken_off' ? end.reason : '', /process that starts tasks ended \(SIGKILL\)/)
    await processEnded(pid)
    assert.equal(broken, 1)
    assert.deepEqual(await new Task(spawner, 'true').ended(), { kind: 'exited', exitCode: 0 })
    assert.notEqual(spawner.pid, first)
  })

  test('leaves the decision to stop to the runner, and takes everything along when the runner is gone', async () => {
    const spawner = new Spawner({ log, broken: () => {} })
    const task = new Task(spawner, 'sleep 61 & echo $!; wait')
    const child = Number(await task.line())
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(spawner.pid ?? 0, name)
    assert.deepEqual(await new Task(spawner, 'exit 3').ended(), { kind: 'exited', exitCode: 3 })
    assert.ok(isRunning(child))
    await spawner[Symbol.asyncDispose]()
    await processEnded(child)
  })
})
