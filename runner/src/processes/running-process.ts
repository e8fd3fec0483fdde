import type { Buffer } from 'node:buffer'

/** An unprivileged user of the machine. */
export interface Owner {
  uid: number
  gid: number
}

export interface Command {
  file: string
  args: readonly string[]
  environment: Readonly<Record<string, string>>
  directory: string
  owner: Owner | undefined
}

/**
 * `reason`: why the process ended with this code, where more is known than the code. failed: the process ran, and its
 * end is no success. broken_off: the end of the process is unknown. No process is left, so the task may be tried again
 * as after a loss. not_begun: this runner could not start the task, so another one may take it.
 */
export type ProcessEnd =
  | { kind: 'exited'; exitCode: number; reason?: string }
  | { kind: 'signaled'; signal: string }
  | { kind: 'not_started'; reason: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'broken_off'; reason: string }
  | { kind: 'not_begun'; reason: string }

export function notStarted(reason: string): ProcessEnd {
  return { kind: 'not_started', reason }
}

/** The reason of a task that was stopped while it was prepared. */
export const STOPPED_EARLY = 'The task was stopped before its process was started.'

export interface GroupListener {
  output(stream: 'stdout' | 'stderr', bytes: Buffer): void
  /** Called once, after the last output. */
  ended(end: ProcessEnd): void
}

export interface ProcessListener extends GroupListener {
  /** Unix milliseconds at which the process was started; never called when it could not be. */
  started(atMs: number): void
}

export interface RunningProcess {
  /** To every process of its group, as soon as it runs; nothing happens when none is left. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  /** Leaves the output unread, so that the process waits, or reads it again. */
  pause(paused: boolean): void
}

/** Starts a process as the leader of a group of its own. Never throws: what goes wrong is told to `ended`. */
export type StartProcess = (command: Command, listener: ProcessListener) => RunningProcess
