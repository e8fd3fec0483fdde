import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { describeError, systemCode } from '../../errors.ts'
import type { Owner } from '../../processes/running-process.ts'

/** More than this is not an output but an artifact. */
export const OUTPUT_FILE_LIMIT = 6 * 1024 * 1024

export type OutputFile = { text: string } | { problem: string }

/** Changes whenever the file does; empty when there is none. */
export function outputFileStamp(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`
}

/**
 * Reads the output file. A task may have replaced it by anything: a link to a file that only the runner may read, a
 * pipe that blocks, gigabytes. Only a regular file that belongs to the task's user is read.
 */
export function readOutputFile(path: string, owner: Owner | undefined): OutputFile {
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
    if (stat.size > OUTPUT_FILE_LIMIT) return { problem: `The output file is larger than ${OUTPUT_FILE_LIMIT} bytes.` }
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
