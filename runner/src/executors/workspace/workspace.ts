import { dirname } from 'node:path'
import type { Owner } from '../../processes/running-process.ts'
import type { Folder } from './folders.ts'

/** The folders of one attempt; `directory` lies outside of `folder` where the tasks of a step share it. */
export interface Workspace extends Folder {
  /** Of `directory`, and so of all that share it. */
  readonly contents: Contents
}

export interface Contents {
  /** Files may belong to other users than the task user of the host. */
  foreign: boolean
  /** Gives the files to that user where the runner itself may not: a container of the same image does it. */
  reclaim: (() => Promise<void>) | undefined
}

export function untouched(): Contents {
  return { foreign: false, reclaim: undefined }
}

/** Brings an empty directory to where tasks may start. Resolves with what went wrong, or with undefined. */
export type Prepare = (directory: string, owner: Owner | undefined) => Promise<string | undefined>

/** Hears what becomes of an attempt that has no process yet, as ExecutionListener does. */
export interface Teller {
  note(sentence: string): void
  waits(reason: string | undefined): void
}

export type Opened = { workspace: Workspace } | { problem: string }

export interface Places {
  readonly directory: string
  /** Everything that the task may write to: its workspace, and what lies beside it. */
  readonly folders: readonly string[]
  /** The account that the task runs as, when the runner is root. */
  readonly owner: Owner | undefined
}

export function placesOf({ folder, directory, owner }: Workspace): Places {
  return { owner, directory, folders: [...new Set([folder, dirname(directory)])] }
}
