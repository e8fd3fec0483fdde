import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Assign } from '@signalbox/contracts/runner'
import { describeError } from '../../errors.ts'
import type { RunningProcess, StartProcess } from '../../processes/running-process.ts'
import type { FetchedFiles } from '../../transfer/files.ts'
import { nothingFetched } from '../../transfer/files.ts'
import { taskEnvironment, unusableText } from '../environment.ts'
import type { Execution, ExecutionFiles, ExecutionListener, Executor } from '../executor.ts'
import { outputFileStamp, readOutputFile } from '../workspace/output-file.ts'
import type { WorkspaceTools } from '../workspace/prepare.ts'
import { prepareWorkspace } from '../workspace/prepare.ts'
import { takeOverFiles } from '../workspace/take-over-files.ts'
import type { Workspace } from '../workspace/workspaces.ts'

export type HostExecutorOptions = WorkspaceTools & {
  /** What every task's environment begins with: PATH and LANG. */
  base: Readonly<Record<string, string>>
  start: StartProcess
}

const shell = '/bin/sh'
// Linux refuses a single argument of 128 KiB; a longer script goes through a file.
const longestArgument = 100_000

/** Runs each task as a process group of this machine. */
export class HostExecutor implements Executor {
  readonly name = 'host'
  readonly #options: HostExecutorOptions

  constructor(options: HostExecutorOptions) {
    this.#options = options
  }

  start(assign: Assign, listener: ExecutionListener): Execution {
    const execution = new HostExecution(this.#options, assign, listener)
    void execution.begin()
    return execution
  }
}

class HostExecution implements Execution {
  readonly #options: HostExecutorOptions
  readonly #assign: Assign
  readonly #listener: ExecutionListener
  #workspace: Workspace | undefined
  #fetched: FetchedFiles = nothingFetched
  #process: RunningProcess | undefined
  readonly #stop = new AbortController()

  constructor(options: HostExecutorOptions, assign: Assign, listener: ExecutionListener) {
    this.#options = options
    this.#assign = assign
    this.#listener = listener
  }

  /** Tells nothing before its first turn is over: the caller has no execution in hand yet. */
  async begin(): Promise<void> {
    const problem = await this.#prepareAndRun()
    if (problem !== undefined) this.#listener.ended({ kind: 'not_started', reason: problem })
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#stop.abort()
    this.#process?.signal(name)
  }

  hold(held: boolean): void {
    this.#process?.hold(held)
  }

  outputStamp(): string {
    return this.#workspace === undefined ? '' : outputFileStamp(this.#workspace.outputFile)
  }

  readOutputs() {
    if (this.#workspace === undefined) return { text: '' }
    return readOutputFile(this.#workspace.outputFile, this.#options.owner)
  }

  files(): ExecutionFiles | undefined {
    const workspace = this.#workspace
    if (workspace === undefined) return undefined
    const { owner } = this.#options
    return { directory: workspace.directory, fetched: this.#fetched, takeOver: () => takeOverFiles(workspace, owner) }
  }

  async release(): Promise<void> {
    const workspace = this.#workspace
    if (workspace === undefined) return
    this.#workspace = undefined
    await this.#options.workspaces.release(workspace)
  }

  async #prepareAndRun(): Promise<string | undefined> {
    const { script, environment } = this.#assign
    const { signal } = this.#stop
    const unusable = unusableText(script, environment)
    if (unusable !== undefined) return unusable
    const note = (sentence: string) => this.#listener.note(sentence)
    const prepared = await prepareWorkspace(this.#options, this.#assign, signal, note)
    if ('problem' in prepared) return prepared.problem
    const { workspace } = prepared
    this.#workspace = workspace
    this.#fetched = prepared.fetched
    const foreign = await takeOverFiles(workspace, this.#options.owner)
    if (foreign !== undefined) return foreign
    return signal.aborted ? 'The task was stopped before its process was started.' : this.#run(workspace)
  }

  #run(workspace: Workspace): string | undefined {
    const { script } = this.#assign
    let args = ['-e', '-c', script]
    if (Buffer.byteLength(script) > longestArgument) {
      const file = join(workspace.folder, 'script')
      try {
        writeFileSync(file, script, { mode: 0o644, flag: 'wx' })
      } catch (error) {
        return `The script could not be written: ${describeError(error)}.`
      }
      args = ['-e', file]
    }
    this.#process = this.#options.start(
      {
        file: shell,
        args,
        environment: taskEnvironment(this.#assign, workspace, this.#options.base),
        directory: workspace.directory,
        owner: this.#options.owner,
      },
      this.#listener,
    )
    return undefined
  }
}
