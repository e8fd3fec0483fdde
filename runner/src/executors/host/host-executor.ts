import { lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Assign } from '@signalbox/contracts/runner'
import type { CheckoutRequest, CheckoutTools } from '../../checkout/checkout.ts'
import { checkOut } from '../../checkout/checkout.ts'
import { describeError } from '../../errors.ts'
import type { Owner, RunningProcess, StartProcess } from '../../processes/running-process.ts'
import type { Execution, ExecutionListener, Executor } from '../executor.ts'
import type { BaseEnvironment } from './environment.ts'
import { taskEnvironment, unusableText } from './environment.ts'
import type { Workspace, Workspaces } from './workspace.ts'
import { readOutputFile } from './workspace.ts'

export type HostExecutorOptions = {
  workspaces: Workspaces
  /** Who runs tasks, when the runner is root. */
  owner: Owner | undefined
  base: BaseEnvironment
  start: StartProcess
  checkout: CheckoutTools
}

const shell = '/bin/sh'
// Linux refuses a single argument of 128 KiB; a longer script goes through a file.
const longestArgument = 100_000

/** Runs each task as a process group of this machine, in a workspace of its own. */
export class HostExecutor implements Executor {
  readonly name = 'host'
  readonly #options: HostExecutorOptions

  constructor(options: HostExecutorOptions) {
    this.#options = options
  }

  start(assign: Assign, listener: ExecutionListener): Execution {
    const execution = new HostExecution(this.#options, assign, listener)
    execution.begin()
    return execution
  }
}

class HostExecution implements Execution {
  readonly #options: HostExecutorOptions
  readonly #assign: Assign
  readonly #listener: ExecutionListener
  #workspace: Workspace | undefined
  #process: RunningProcess | undefined
  #stopping = false
  readonly #stop = new AbortController()

  constructor(options: HostExecutorOptions, assign: Assign, listener: ExecutionListener) {
    this.#options = options
    this.#assign = assign
    this.#listener = listener
  }

  begin(): void {
    const { script, environment, checkout } = this.#assign
    const unusable = unusableText(script, environment)
    if (unusable !== undefined) {
      this.#fail(unusable)
      return
    }
    let workspace: Workspace
    try {
      workspace = this.#options.workspaces.take()
    } catch (error) {
      this.#fail(`The workspace could not be made: ${describeError(error)}.`)
      return
    }
    this.#workspace = workspace
    if (checkout === undefined) this.#run(workspace)
    else void this.#checkOutAndRun(workspace, checkout)
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#stopping = true
    this.#stop.abort()
    this.#process?.signal(name)
  }

  hold(held: boolean): void {
    this.#process?.hold(held)
  }

  outputStamp(): string {
    if (this.#workspace === undefined) return ''
    const stat = lstatSync(this.#workspace.outputFile, { throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`
  }

  readOutputs() {
    if (this.#workspace === undefined) return { text: '' }
    return readOutputFile(this.#workspace.outputFile, this.#options.owner)
  }

  async release(): Promise<void> {
    const workspace = this.#workspace
    if (workspace === undefined) return
    this.#workspace = undefined
    await this.#options.workspaces.giveBack(workspace)
  }

  async #checkOutAndRun(workspace: Workspace, request: CheckoutRequest): Promise<void> {
    try {
      const problem = await checkOut(this.#options.checkout, request, {
        directory: workspace.directory,
        owner: this.#options.owner,
        signal: this.#stop.signal,
        note: (sentence) => this.#listener.note(sentence),
      })
      if (problem !== undefined) this.#fail(problem)
      else if (this.#stopping) this.#fail('The task was stopped before its process was started.')
      else this.#run(workspace)
    } catch (error) {
      this.#fail(`The checkout failed: ${describeError(error)}.`)
    }
  }

  #run(workspace: Workspace): void {
    const { script } = this.#assign
    let args = ['-e', '-c', script]
    if (Buffer.byteLength(script) > longestArgument) {
      const file = join(workspace.folder, 'script')
      try {
        writeFileSync(file, script, { mode: 0o644, flag: 'wx' })
      } catch (error) {
        this.#fail(`The script could not be written: ${describeError(error)}.`)
        return
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
  }

  // Never at once: the caller of `start` has no execution in hand yet.
  #fail(reason: string): void {
    queueMicrotask(() => this.#listener.ended({ kind: 'not_started', reason }))
  }
}
