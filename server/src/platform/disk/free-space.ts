import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface FreeSpace {
  /** Bytes that an account without privileges may still write. */
  readonly bytes: number
  /** Files that can still be made; undefined where the file system has no such limit. */
  readonly files: number | undefined
}

/** Of the disk on which `path` lies, or will lie once it is made. */
export async function findFreeSpace(path: string): Promise<FreeSpace> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(path)
    return { bytes: bavail * bsize, files: files > 0 ? ffree : undefined }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing || dirname(path) === path) throw error
    return findFreeSpace(dirname(path))
  }
}
