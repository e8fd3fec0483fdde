import type { Buffer } from 'node:buffer'
import type { Assign } from '@signalbox/contracts/runner'
import type { ProcessEnd } from '../processes/process-group.ts'
import type { OutputFile } from './host/workspace.ts'

export type { OutputFile, ProcessEnd }

export type ExecutionListener = {
  started(atMs: number): void
  output(stream: 'stdout' | 'stderr', bytes: Buffer): void
  /** A sentence for the log. */
  note(sentence: string): void
  /** Called once, after the last output. No process of the task is left. */
  ended(end: ProcessEnd): void
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
