import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Assign } from '@signalbox/contracts/runner'
import { describeError, fullDisk, isFullDisk } from '../../errors.ts'
import type { ProcessEnd, RunningProcess, StartProcess } from '../../processes/running-process.ts'
import { notStarted, STOPPED_EARLY } from '../../processes/running-process.ts'
import { taskEnvironment, unusableText } from '../environment.ts'
import type { Execution, ExecutionListener, Executor } from '../executor.ts'
import { AttemptWorkspace } from '../workspace/attempt-workspace.ts'
import { temporaryFolderOf } from '../workspace/folders.ts'
import type { WorkspaceTools } from '../workspace/prepare.ts'
import { takeOverFiles } from '../workspace/take-over-files.ts'
import type { Workspace } from '../workspace/workspace.ts'

export type HostExecutorOptions = WorkspaceTools & {
  /** The beginning of every task's environment: PATH and LANG. */
  base: Readonly<Record<string, string>>
  start: StartProcess
  /** Ends whatever else there is of an attempt whose process has ended. */
  quiet: (workspace: Workspace, fence: bigint) => Promise<void>
}

const SHELL = '/bin/sh'
// Linux refuses a single argument of 128 KiB; a longer script goes through a file.
const LONGEST_ARGUMENT = 100_000

/** Runs each task as a process group of this machine. */
export function hostExecutor(options: HostExecutorOptions): Executor {
  return {
    start(assign, listener) {
      const execution = new HostExecution(options, assign, listener)
      void execution.begin()
      return execution
    },
  }
}

class HostExecution implements Execution {
  readonly #options: HostExecutorOptions
  readonly #assign: Assign
  readonly #listener: ExecutionListener
  readonly workspace = new AttemptWorkspace()
  #process: RunningProcess | undefined
  readonly #stop = new AbortController()

  constructor(options: HostExecutorOptions, assign: Assign, listener: ExecutionListener) {
    this.#options = options
    this.#assign = assign
    this.#listener = listener
  }

  /** Tells nothing before its first turn is over: the caller has no execution in hand yet. */
  async begin(): Promise<void> {
    const end = await this.#prepareAndRun()
    if (end !== undefined) this.#listener.ended(end)
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#stop.abort()
    this.#process?.signal(name)
  }

  pause(paused: boolean): void {
    this.#process?.pause(paused)
  }

  /** Answers how it ended where it has not begun. */
  async #prepareAndRun(): Promise<ProcessEnd | undefined> {
    const { script, environment } = this.#assign
    const { signal } = this.#stop
    const unusable = unusableText(script, environment)
    if (unusable !== undefined) return notStarted(unusable)
    const workspace = await this.workspace.open(this.#options, this.#assign, signal, this.#listener)
    if ('end' in workspace) return workspace.end
    const foreign = await takeOverFiles(this.#options.trees, workspace)
    if (foreign !== undefined) return notStarted(foreign)
    return signal.aborted ? notStarted(STOPPED_EARLY) : this.#run(workspace)
  }

  #run(workspace: Workspace): ProcessEnd | undefined {
    const { script } = this.#assign
    let args = ['-e', '-c', script]
    if (Buffer.byteLength(script) > LONGEST_ARGUMENT) {
      const file = join(workspace.folder, 'script')
      try {
        writeFileSync(file, script, { mode: 0o644, flag: 'wx' })
      } catch (error) {
        const why = isFullDisk(error) ? fullDisk(workspace.folder) : `${describeError(error)}.`
        return notStarted(`The script could not be written: ${why}`)
      }
      args = ['-e', file]
    }
    const { directory, outputFile, owner } = workspace
    const temporary = temporaryFolderOf(workspace.folder)
    this.#process = this.#options.start(
      {
        file: SHELL,
        args,
        environment: taskEnvironment(this.#assign, { directory, outputFile, temporary }, this.#options.base),
        directory,
        owner,
      },
      {
        started: (atMs) => this.#listener.started(atMs),
        output: (stream, bytes) => this.#listener.output(stream, bytes),
        ended: (end) => {
          const tell = () => this.#listener.ended(end)
          this.#options.quiet(workspace, this.#assign.fence).then(tell, tell)
        },
      },
    )
    return undefined
  }
}
