import type { Buffer } from 'node:buffer'
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { Socket } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { CGROUP_FLAG, clearCgroup } from '../cgroups/cgroup.ts'
import type { MountView } from '../mount-view.ts'
import { withoutNewPrivileges } from '../no-new-privileges.ts'
import { signalGroup } from '../process-group.ts'
import type { Command, ProcessEnd, ProcessListener, RunningProcess, StartProcess } from '../running-process.ts'
import { notStarted } from '../running-process.ts'
import { readEnd, readStarted, writeCommand } from './bodies.ts'
import type { Frame } from './frames.ts'
import { FrameReader, frame, TO_RUNNER, TO_SPAWNER } from './frames.ts'

const PROGRAM = fileURLToPath(new URL('./spawner-process.ts', import.meta.url))
// A small heap and no helper threads: half of the memory that a start would have to copy.
const NODE_FLAGS = ['--max-semi-space-size=1', '--single-threaded']

function helperEnvironment(): Record<string, string> {
  const cache = getCompileCacheDir()
  // Node puts a folder for its version and flags there.
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
}

/**
 * Runs the helper once, so that the lasting one finds its code compiled. The code that strips types takes 20 MB, which
 * each start would copy from then on. The extra run takes 60 ms, and would change nothing where no cache is in use.
 */
function warmCache(): void {
  if (getCompileCacheDir() === undefined) return
  const args = [...NODE_FLAGS, PROGRAM, '--load-only']
  spawnSync(process.execPath, args, { cwd: '/', env: helperEnvironment(), stdio: 'ignore', timeout: 5000 })
}

// Output of tasks is passed on in pieces: putting it together would copy it once more.
const OUTPUTS = new Set<number>([TO_RUNNER.stdout, TO_RUNNER.stderr])

interface Helper {
  child: ChildProcess
  channel: Socket
}

export interface SpawnerOptions {
  log: Log
  /** The runner's cgroup, below which each process gets one of its own; undefined where there is none. */
  cgroup?: string | undefined
  /** The beginning of the helper's command, so that tasks see workspaces without setuid bits and devices. */
  view?: MountView | undefined
  /** The spawner ended before its time, and what it had started was killed by group: the place to look for the rest. */
  broken: () => void
}

/**
 * Starts processes by way of a small process of our own, which is faster by far (see `spawner-process.ts`). When that
 * one dies, everything it had started is killed and its end is told as `broken_off`; the next start makes a new one.
 */
export class Spawner implements AsyncDisposable {
  readonly #options: SpawnerOptions
  readonly #processes = new Map<number, SpawnedProcess>()
  #helper: Helper | undefined
  #lastId = 0
  #lastWill: Command | undefined
  #closed = false
  #lives = 0

  constructor(options: SpawnerOptions) {
    this.#options = options
    warmCache()
    this.#launch()
  }

  /** The process that starts processes; undefined while there is none. */
  get pid(): number | undefined {
    return this.#helper?.child.pid
  }

  /** How often it had to be made anew: who sees another number than before has lost what he had started. */
  readonly lives = (): number => this.#lives

  /** Starts `command` as the leader of a new process group. Never throws. */
  readonly start: StartProcess = (command, listener) => {
    const helper = this.#closed ? startFailure('the runner leaves') : (this.#helper ?? this.#launch())
    if (typeof helper === 'string') {
      queueMicrotask(() => listener.ended(notStarted(helper)))
      return { signal: () => {}, pause: () => {} }
    }
    const { channel } = helper
    this.#lastId = (this.#lastId + 1) % 2 ** 32
    const id = this.#lastId
    const running = new SpawnedProcess(listener, (paused) => {
      channel.write(frame(paused ? TO_SPAWNER.pause : TO_SPAWNER.resume, id))
    })
    this.#processes.set(id, running)
    channel.write(frame(TO_SPAWNER.start, id, writeCommand(command)))
    return running
  }

  /** A command for when this process has died without ending the helper in order: what ends things that are no process. */
  afterDeath(command: Command | undefined): void {
    this.#lastWill = command
    this.#sendLastWill()
  }

  #sendLastWill(): void {
    const body = this.#lastWill === undefined ? undefined : writeCommand(this.#lastWill)
    this.#helper?.channel.write(frame(TO_SPAWNER.lastWill, 0, body))
  }

  /** Ends the helper, and with it whatever still runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    if (this.#helper === undefined) return
    this.afterDeath(undefined)
    const { child, channel } = this.#helper
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    channel.end()
    await ended
    this.#clear()
  }

  // Answers with a sentence where the machine has no room for it.
  #launch(): Helper | string {
    let child: ChildProcess
    try {
      // Inherited by all that it ever starts: no task costs anything for it.
      const helper = withoutNewPrivileges(process.execPath, [...NODE_FLAGS, PROGRAM, ...this.#words()])
      const [file = '', ...args] = [...(this.#options.view?.before ?? []), helper.file, ...helper.args]
      child = spawn(file, args, {
        cwd: '/',
        env: helperEnvironment(),
        // A session of its own: Ctrl-C in the runner's terminal is the runner's to handle.
        detached: true,
        stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
      })
    } catch (error) {
      return startFailure(describeError(error))
    }
    let why: string | undefined
    child.on('error', (error) => {
      why = describeError(error)
    })
    const channel = child.stdio?.[3]
    if (!(channel instanceof Socket)) return startFailure('it has no pipe')
    const helper: Helper = { child, channel }
    this.#helper = helper
    if (this.#lastWill !== undefined) this.#sendLastWill()
    const reader = new FrameReader((each) => this.#receive(each), OUTPUTS)
    channel.on('data', (bytes: Buffer) => reader.push(bytes))
    channel.on('error', () => {})
    // After the last frame, whether the process was killed, crashed or never came to be.
    channel.on('close', () => {
      if (child.exitCode !== null || child.signalCode !== null || why !== undefined) this.#break(helper, why)
      else child.once('exit', () => this.#break(helper, why))
    })
    return helper
  }

  /** The helper is not there any more: whatever is left in its cgroups was started by it. */
  #clear(): void {
    const { cgroup } = this.#options
    if (cgroup !== undefined) clearCgroup(cgroup)
  }

  #words(): string[] {
    const { cgroup } = this.#options
    return cgroup === undefined ? [] : [`${CGROUP_FLAG}${cgroup}`]
  }

  #receive({ kind, id, body }: Frame): void {
    const running = this.#processes.get(id)
    if (running === undefined) return
    switch (kind) {
      case TO_RUNNER.started: {
        const { pid, atMs } = readStarted(body)
        running.begin(pid, atMs)
        break
      }
      case TO_RUNNER.stdout:
        running.listener.output('stdout', body)
        break
      case TO_RUNNER.stderr:
        running.listener.output('stderr', body)
        break
      case TO_RUNNER.ended:
        this.#processes.delete(id)
        running.end(readEnd(body))
        break
    }
  }

  #break(helper: Helper, failure: string | undefined): void {
    if (this.#helper !== helper) return
    this.#helper = undefined
    this.#lives++
    const { exitCode, signalCode } = helper.child
    const why = failure ?? signalCode ?? `exit code ${exitCode}`
    const lost = [...this.#processes.values()]
    this.#processes.clear()
    for (const running of lost) running.signal('SIGKILL')
    this.#clear()
    if (!this.#closed) {
      this.#options.log.warn('the process that starts tasks has ended', { why, tasks: lost.length })
      this.#options.broken()
    }
    const reason = `The runner's process that starts tasks ended (${why}); this task was killed with it.`
    for (const running of lost) running.end({ kind: 'broken_off', reason })
  }
}

function startFailure(why: string): string {
  return `The process that starts tasks could not be started: ${why}.`
}

class SpawnedProcess implements RunningProcess {
  readonly listener: ProcessListener
  readonly #pause: (paused: boolean) => void
  #pid: number | undefined
  #ended = false
  #wanted: 'SIGTERM' | 'SIGKILL' | undefined

  constructor(listener: ProcessListener, pause: (paused: boolean) => void) {
    this.listener = listener
    this.#pause = pause
  }

  begin(pid: number, atMs: number): void {
    this.#pid = pid
    if (this.#wanted !== undefined) signalGroup(pid, this.#wanted)
    this.listener.started(atMs)
  }

  end(end: ProcessEnd): void {
    this.#ended = true
    this.listener.ended(end)
  }

  // Not by way of the spawner: a kill must not wait behind anything.
  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#ended) return
    if (this.#pid !== undefined) signalGroup(this.#pid, name)
    else if (this.#wanted !== 'SIGKILL') this.#wanted = name
  }

  pause(paused: boolean): void {
    if (!this.#ended) this.#pause(paused)
  }
}
