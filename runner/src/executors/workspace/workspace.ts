import { dirname } from 'node:path'
import type { Owner } from '../../processes/running-process.ts'

/** The folders of one attempt. */
export interface Workspace {
  /** The attempt's alone; holds its output file. */
  readonly folder: string
  /** Where the task starts. Lies elsewhere where the tasks of a step share it. */
  readonly directory: string
  readonly outputFile: string
  /** The account that the task runs as; undefined where tasks run as the runner itself. */
  readonly owner: Owner | undefined
  /** Of `directory`, and so of all that share it. */
  readonly contents: Contents
}

export interface Contents {
  /** Files may belong to other users than the one that runs tasks on the host. */
  foreign: boolean
  /** Gives them to that user, where the runner itself may not: whoever made them does it. */
  reclaim: (() => Promise<void>) | undefined
}

export function untouched(): Contents {
  return { foreign: false, reclaim: undefined }
}

/** Brings an empty directory to where tasks may start. Resolves with what went wrong, or with undefined. */
export type Prepare = (directory: string, owner: Owner | undefined) => Promise<string | undefined>

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
