import { statfsSync } from 'node:fs'

/** What a task may need at once. With more than that free, nobody waits for files that are being removed. */
const ENOUGH_BYTES = 256 * 1024 ** 2
const ENOUGH_FILES = 1000

/** Whether the disk that holds `folder` is nearly full, for an account without privileges. */
export function isShortOfSpace(folder: string): boolean {
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  return bavail * bsize < ENOUGH_BYTES || (files > 0 && ffree < ENOUGH_FILES)
}
