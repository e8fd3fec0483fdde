import type { Assign } from '@signalbox/contracts/runner'
import type { ProcessEnd, ProcessListener } from '../processes/running-process.ts'
import type { OutputFile } from './workspace/output-file.ts'

export type { OutputFile, ProcessEnd }

/** What an execution tells; once `ended` is called no process of the task is left. */
export type ExecutionListener = ProcessListener & {
  /** A sentence for the log. */
  note(sentence: string): void
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
  /** Removes what the attempt left behind. */
  release(): Promise<void>
}

/** A way to run tasks. `start` never throws: what goes wrong is told to `listener.ended`. */
export type Executor = {
  readonly name: string
  start(assign: Assign, listener: ExecutionListener): Execution
}
