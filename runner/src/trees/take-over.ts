import type { BigIntStats } from 'node:fs'
import { chmodSync, chownSync, lchownSync, lstatSync, unlinkSync } from 'node:fs'
import { readText } from '../processes/read-text.ts'
import type { Owner } from '../processes/running-process.ts'
import type { OpenFolder } from './open-folder.ts'
import type { Visit, Work } from './walk.ts'
import { walk } from './walk.ts'

// Containers leave files of any user, and setuid programs. Only root can mend that. Root calls lchown through folders
// that are held open, so that no link is followed. On Linux lchown also takes the setuid and setgid bits and the
// capabilities of a file away, even where the owner stays the same.

/** A file with more names than one is touched only where all of them were found; beyond so many files it goes. */
const MOST_COUNTED = 100_000
const RIGHTS_BITS = 0o7000
const RIGHTS_OF_FILE = 0o6000n

interface Deed {
  readonly needed: (stat: BigIntStats) => boolean
  readonly owner: Owner | undefined
}

/**
 * Takes away what could give rights to somebody: the setuid and setgid bits of files, and devices. Owners stay. Needs
 * root, or that the files are the runner's own.
 */
export function stripRights(directory: string): Work {
  return mend(directory, { needed: (stat) => (stat.mode & RIGHTS_OF_FILE) !== 0n, owner: undefined })
}

/**
 * Gives everything in `directory` to `owner`, the directory included, and takes away what `stripRights` does. Links are not
 * followed. A file that has a name elsewhere is not touched: its name in here goes. Needs root and /proc.
 */
export function takeOver(directory: string, owner: Owner): Work {
  return mend(directory, { needed: (stat) => (stat.mode & RIGHTS_OF_FILE) !== 0n || !isTheirs(stat, owner), owner })
}

function isTheirs(stat: BigIntStats, { uid, gid }: Owner): boolean {
  return stat.uid === BigInt(uid) && stat.gid === BigInt(gid)
}

function fileKey({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}

function* mend(directory: string, { needed, owner }: Deed): Work {
  /** The files with several names: how many of them were found in here. */
  const names = new Map<string, bigint>()
  const trusted = linksAreProtected()
  const give = (path: Buffer, stat: BigIntStats): void =>
    owner === undefined ? lchownSync(path, Number(stat.uid), Number(stat.gid)) : lchownSync(path, owner.uid, owner.gid)
  const folder = (opened: OpenFolder): void => {
    const stat = lstatSync(opened.at('.'), { bigint: true })
    if (owner !== undefined && !isTheirs(stat, owner)) chownSync(opened.path, owner.uid, owner.gid)
    if (owner !== undefined && (Number(stat.mode) & RIGHTS_BITS) !== 0)
      chmodSync(opened.path, Number(stat.mode) & 0o777)
  }
  const first: Visit = {
    folder,
    other(opened, entry) {
      const path = opened.at(entry.name)
      if (entry.kind === 'link' && owner === undefined) return
      const stat = lstatSync(path, { bigint: true })
      if (stat.isBlockDevice() || stat.isCharacterDevice()) unlinkSync(path)
      else if (!needed(stat) || stat.isDirectory()) return
      else if (stat.nlink < 2n || stat.isSymbolicLink()) give(path, stat)
      else if (names.size < MOST_COUNTED) names.set(fileKey(stat), (names.get(fileKey(stat)) ?? 0n) + 1n)
      else unlinkSync(path)
    },
  }
  yield* walk(directory, first)
  if (names.size === 0) return
  yield* walk(directory, {
    other(opened, entry) {
      if (entry.kind !== 'file') return
      const path = opened.at(entry.name)
      const stat = lstatSync(path, { bigint: true })
      if (stat.nlink < 2n || !needed(stat)) return
      // A name out here can only be made by a task on the host; a container's links end where its view does.
      if (trusted && names.get(fileKey(stat)) === stat.nlink) give(path, stat)
      else unlinkSync(path)
    },
  })
}

/** Whether the kernel refuses a hard link to a file that its maker may not write. Most systems do. */
function linksAreProtected(): boolean {
  return /^[1-9]/.test(readText('/proc/sys/fs/protected_hardlinks'))
}
