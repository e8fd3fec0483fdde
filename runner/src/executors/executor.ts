import type { Assign } from '@signalbox/contracts/runner'
import type { ProcessEnd, ProcessListener } from '../processes/running-process.ts'
import type { FetchedFiles } from '../transfer/files.ts'
import type { OutputFile } from './workspace/output-file.ts'

export type { OutputFile, ProcessEnd }

/** What an execution tells; once `ended` is called no process of the task is left. */
export type ExecutionListener = ProcessListener & {
  /** A sentence for the log. */
  note(sentence: string): void
}

export type ExecutionFiles = {
  readonly directory: string
  readonly fetched: FetchedFiles
  /** Makes files that containers left readable to the user who runs tasks. Answers a sentence where that fails. */
  takeOver(): Promise<string | undefined>
}

/** One attempt on its way through an executor. */
export type Execution = {
  /** Asks the task to end (SIGTERM) or ends it (SIGKILL), at any time from preparation on. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  /** Leaves the output unread, so that the task waits, or reads it again. */
  hold(held: boolean): void
  /** Changes whenever the output file does; cheap enough to ask before each batch of lines. */
  outputStamp(): string
  readOutputs(): OutputFile
  /** Where its files lie; undefined while there is no workspace, and after `release`. */
  files(): ExecutionFiles | undefined
  /** Removes what the attempt left behind. */
  release(): Promise<void>
}

/** A way to run tasks. `start` never throws: what goes wrong is told to `listener.ended`. */
export type Executor = {
  readonly name: string
  start(assign: Assign, listener: ExecutionListener): Execution
}
