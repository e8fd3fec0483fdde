import type { Buffer } from 'node:buffer'
import { spawn } from 'node:child_process'
import { describeError, systemCode } from '../errors.ts'
import type { Time, Timer } from '../time/index.ts'
import { OpenFolder } from '../trees/open-folder.ts'
import type { Cell, Cells } from './cgroups/cells.ts'
import type { Command, GroupListener, ProcessEnd, RunningProcess } from './running-process.ts'
import { notStarted } from './running-process.ts'

export type ProcessGroup = RunningProcess & {
  /** Undefined when the process could not be started. */
  readonly pid: number | undefined
}

// A process that left the group may keep the pipe open for ever: after the end we wait this long for silence...
const LINGER_MS = 500
// ...and this often at most.
const LINGER_TURNS = 10

/** Sends a signal to a process group. Returns whether a process was there. */
export function signalGroup(pid: number, name: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    process.kill(-pid, name)
    return true
  } catch (error) {
    if (systemCode(error) === 'ESRCH' || systemCode(error) === 'EPERM') return false
    throw error
  }
}

/** Without effect where it has ended by itself. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process ended by itself.
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  E2BIG: 'its script and environment are larger than the system allows for a process',
  EAGAIN: 'the machine has no room for another process (EAGAIN)',
  ENOMEM: 'the machine has no memory for another process (ENOMEM)',
  EMFILE: 'the runner has too many open files (EMFILE)',
  ENFILE: 'the machine has too many open files (ENFILE)',
  ENOTDIR: 'a link or a file lies where its working directory was (ENOTDIR)',
  EACCES: 'the program may not be executed, or the workspace not entered, by the user that runs tasks (EACCES)',
}

function startFailure(command: Command, error: unknown): ProcessEnd {
  const code = systemCode(error) ?? ''
  const why = code === 'ENOENT' ? `${command.file} or its working directory does not exist` : SENTENCES[code]
  return notStarted(`The process could not be started: ${why ?? describeError(error)}.`)
}

/**
 * Starts `command` as the leader of a new process group with nothing to read on stdin. When the leader ends, the rest
 * of its group is killed, and with `cells` whatever else came of it, before the end is told. Never throws: what goes wrong
 * is told to `listener.ended`.
 */
export function startProcessGroup(command: Command, time: Time, listener: GroupListener, cells?: Cells): ProcessGroup {
  let finished = false
  const finish = (end: ProcessEnd) => {
    if (finished) return
    finished = true
    listener.ended(end)
  }

  let child: ReturnType<typeof launch>
  let cell: Cell | undefined
  const empty = async () => {
    if (cell !== undefined) await cells?.end(cell)
  }
  try {
    cell = cells?.enter()
    child = launch(command)
  } catch (error) {
    void empty()
    const end = startFailure(command, error)
    queueMicrotask(() => finish(end))
    return { pid: undefined, signal: () => {}, pause: () => {} }
  }

  const { pid, stdout, stderr } = child
  let paused = false
  let end: ProcessEnd | undefined
  let emptied: Promise<void> | undefined
  let linger: Timer | undefined
  let turns = 0

  const signal = (name: 'SIGTERM' | 'SIGKILL') => {
    if (pid !== undefined && end === undefined) signalGroup(pid, name)
  }
  const waitForSilence = () => {
    linger?.stop()
    if (!paused) turns++
    linger = time.after(turns > LINGER_TURNS ? 0 : LINGER_MS, () => {
      if (paused) {
        waitForSilence()
        return
      }
      stdout.destroy()
      stderr.destroy()
    })
  }
  const receive = (stream: 'stdout' | 'stderr') => (bytes: Buffer) => {
    listener.output(stream, bytes)
    if (end !== undefined && turns <= LINGER_TURNS) waitForSilence()
  }
  stdout.on('data', receive('stdout'))
  stderr.on('data', receive('stderr'))
  // A broken pipe is told by the end of the process.
  stdout.on('error', () => {})
  stderr.on('error', () => {})

  child.on('error', (error) => {
    if (pid !== undefined) return
    void empty()
    finish(startFailure(command, error))
  })
  child.on('exit', (exitCode, signalName) => {
    if (pid === undefined) return
    end = exitCode === null ? { kind: 'signaled', signal: signalName ?? 'unknown' } : { kind: 'exited', exitCode }
    signalGroup(pid, 'SIGKILL')
    emptied = empty()
    waitForSilence()
  })
  child.on('close', async () => {
    linger?.stop()
    await emptied
    if (end !== undefined) finish(end)
  })

  return {
    pid,
    signal,
    pause: (wanted) => {
      paused = wanted
      for (const stream of [stdout, stderr]) {
        if (wanted) stream.pause()
        else stream.resume()
      }
    },
  }
}

/**
 * The child enters the working directory as the user of this process, and only then becomes its owner. So root opens it
 * without following a link: a task that put one there would get behind folders that are closed to it.
 */
function launch(command: Command) {
  if (command.owner === undefined) return spawnIn(command.directory, command)
  using directory = OpenFolder.open(command.directory)
  return spawnIn(directory.path.toString(), command)
}

function spawnIn(directory: string, { file, args, environment, owner }: Command) {
  return spawn(file, args, {
    cwd: directory,
    env: { ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...owner,
  })
}
