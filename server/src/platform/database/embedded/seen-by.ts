import { isReachable, type Owner } from './owner.ts'
import { DatabaseRefused } from './refused.ts'

/** How a program that runs as another account names a folder in which it is started. */
const HERE = '/proc/self/cwd'

export interface Identity {
  readonly uid?: number
  readonly gid?: number
}

export function identityOf(owner: Owner | undefined): Identity {
  return owner ? { uid: owner.uid, gid: owner.gid } : {}
}

/**
 * The name by which PostgreSQL's account reaches `folder`, which it owns and is started in. The folders above it may be
 * closed to that account (mode 0700, or below /root). Then the kernel's name of the working directory leads there, and no
 * folder above has to be opened.
 */
export function seenBy(owner: Owner | undefined, folder: string): string {
  if (isReachable(folder, owner)) return folder
  if (process.platform === 'linux') return HERE
  throw new DatabaseRefused(
    'database.wrong_owner',
    `PostgreSQL's account cannot enter the folders above ${folder}: choose another data_dir, or start Signalbox as a user that is not root.`,
  )
}

/** Like `seenBy`, for a folder that a program gets open as its descriptor `fd`. */
export function seenByDescriptor(owner: Owner | undefined, folder: string, fd: number): string {
  return isReachable(folder, owner) ? folder : `/proc/self/fd/${fd}`
}
