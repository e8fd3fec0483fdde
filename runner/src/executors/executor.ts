import type { Assign } from '@signalbox/contracts/runner'
import type { ProcessListener } from '../processes/running-process.ts'
import type { AttemptWorkspace } from './workspace/attempt-workspace.ts'

/** `service` is empty for the container of the task itself; `digest` names the image for ever. */
export interface ImageInUse {
  readonly service: string
  readonly image: string
  readonly digest: string
}

/** Hears of one execution; once `ended` is called no process of the task is left. */
export type ExecutionListener = ProcessListener & {
  /** The images of the containers, told once, before `started`. */
  images(images: readonly ImageInUse[]): void
  /** A sentence for the log. */
  note(sentence: string): void
  /**
   * The attempt waits for its turn on this machine, for a reason that is a sentence; undefined: it goes on. The wait
   * does not count against the task's timeout.
   */
  waits(reason: string | undefined): void
  /** The task takes more than it may: it is to be ended, with this sentence as the reason. */
  exceeded(reason: string): void
}

/** One attempt on its way through an executor. */
export interface Execution {
  /** Asks the task to end (SIGTERM) or ends it (SIGKILL), at any time from preparation on. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  /** Leaves the output unread, so that the task waits, or reads it again. */
  pause(paused: boolean): void
  readonly workspace: AttemptWorkspace
}

/** A way to run tasks. `start` never throws: `listener.ended` gets the fault. */
export interface Executor {
  start(assign: Assign, listener: ExecutionListener): Execution
}
