import {
  chownSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError, systemCode } from '../../errors.ts'
import type { Owner } from '../../processes/process-group.ts'

/** The folders of one attempt; all belong to the user that runs tasks. */
export type Workspace = {
  /** Holds the rest; removed with it. */
  readonly folder: string
  /** Where the task starts, its HOME. */
  readonly directory: string
  readonly outputFile: string
}

/** Makes a fresh workspace below `root` for the attempt with this fence. Throws the system's error. */
export const createWorkspace = (root: string, fence: bigint, owner: Owner | undefined): Workspace => {
  const folder = join(root, String(fence))
  const workspace = { folder, directory: join(folder, 'workspace'), outputFile: join(folder, 'outputs') }
  mkdirSync(folder, { mode: 0o700 })
  mkdirSync(workspace.directory, { mode: 0o755 })
  closeSync(openSync(workspace.outputFile, 'wx', 0o600))
  if (owner !== undefined) {
    chownSync(workspace.outputFile, owner.uid, owner.gid)
    chownSync(workspace.directory, owner.uid, owner.gid)
    chownSync(folder, owner.uid, owner.gid)
  }
  return workspace
}

/** Removes the workspace. Three system calls when the task left nothing behind. */
export const removeWorkspace = async (workspace: Workspace): Promise<void> => {
  try {
    unlinkSync(workspace.outputFile)
    rmdirSync(workspace.directory)
    rmdirSync(workspace.folder)
  } catch {
    await rm(workspace.folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** More than this is not an output but an artifact. */
export const outputFileLimit = 6 * 1024 * 1024

export type OutputFile = { text: string } | { problem: string }

/**
 * Reads the output file. A task may have replaced it by anything: a link to a file that only the runner may read, a
 * pipe that blocks, gigabytes. Only a regular file that belongs to the task's user is read.
 */
export const readOutputFile = (path: string, owner: Owner | undefined): OutputFile => {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { text: '' }
    return { problem: `The output file cannot be read: ${systemCode(error) ?? describeError(error)}.` }
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) return { problem: 'The output file is not a regular file.' }
    if (owner !== undefined && stat.uid !== owner.uid) return { problem: 'The output file belongs to another user.' }
    if (stat.size > outputFileLimit) return { problem: `The output file is larger than ${outputFileLimit} bytes.` }
    const bytes = Buffer.alloc(stat.size)
    let length = 0
    while (length < bytes.length) {
      const count = readSync(file, bytes, length, bytes.length - length, length)
      if (count === 0) break
      length += count
    }
    return { text: bytes.toString('utf8', 0, length) }
  } finally {
    closeSync(file)
  }
}
