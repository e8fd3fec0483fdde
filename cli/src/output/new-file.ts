import { lstatSync } from 'node:fs'
import { CommandFailed } from '../errors.ts'

/**
 * Throws CommandFailed where a download would put a file in the place of something else: a device such as /dev/null, a link
 * or a folder. A download is written beside its place and renamed when all of it is there.
 */
export function refuseOtherThanFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return
  throw new CommandFailed('usage', `${path} is there and is no file: a download would take its place.`, 'Name a file.')
}
