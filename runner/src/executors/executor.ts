import type { Assign } from '@signalbox/contracts/runner'
import type { Owner, ProcessEnd, ProcessListener } from '../processes/running-process.ts'
import type { FetchedFiles } from '../transfer/files.ts'
import type { OutputFile } from './workspace/output-file.ts'

export type { OutputFile, ProcessEnd }

/** `service` is empty for the container of the task itself; `digest` names the image for ever. */
export interface ImageInUse {
  readonly service: string
  readonly image: string
  readonly digest: string
}

/** The reason of a task that was stopped while it was prepared. */
export const stoppedEarly = 'The task was stopped before its process was started.'

/** What an execution tells; once `ended` is called no process of the task is left. */
export type ExecutionListener = ProcessListener & {
  /** What its containers are made of, once, before `started`. */
  images(images: readonly ImageInUse[]): void
  /** A sentence for the log. */
  note(sentence: string): void
  /**
   * The attempt waits for its turn on this machine, for a reason that is a sentence; undefined: it goes on. What it waits does
   * not count against its timeout.
   */
  waits(reason: string | undefined): void
  /** The task takes more than it may: it is to be ended, with this sentence as the reason. */
  exceeded(reason: string): void
}

/** Everything that a listener is told before the end. */
export function passedOn(listener: ExecutionListener): Omit<ExecutionListener, 'ended'> {
  return {
    images: (images) => listener.images(images),
    started: (atMs) => listener.started(atMs),
    output: (stream, bytes) => listener.output(stream, bytes),
    note: (sentence) => listener.note(sentence),
    waits: (reason) => listener.waits(reason),
    exceeded: (reason) => listener.exceeded(reason),
  }
}

export interface ExecutionFiles {
  readonly directory: string
  /** Everything that the task may write to in there: its workspace, and what lies beside it. */
  readonly folders: readonly string[]
  /** The account that the task runs as, when the runner is root. */
  readonly owner: Owner | undefined
  readonly fetched: FetchedFiles
  /** Makes files that containers left readable to the user who runs tasks. Answers a sentence where that fails. */
  takeOver(): Promise<string | undefined>
}

/** One attempt on its way through an executor. */
export interface Execution {
  /** Asks the task to end (SIGTERM) or ends it (SIGKILL), at any time from preparation on. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  /** Leaves the output unread, so that the task waits, or reads it again. */
  pause(paused: boolean): void
  /** Changes whenever the output file does; cheap enough to ask before each batch of lines. */
  outputStamp(): string
  readOutputs(): OutputFile
  /** Where its files lie; undefined while there is no workspace, and after `release`. */
  files(): ExecutionFiles | undefined
  /** Removes what the attempt left behind. */
  release(): Promise<void>
}

/** A way to run tasks. `start` never throws: what goes wrong is told to `listener.ended`. */
export interface Executor {
  readonly name: string
  start(assign: Assign, listener: ExecutionListener): Execution
}
