import type { BigIntStats } from 'node:fs'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { lchown, lstat, open, readdir, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCode } from '../../errors.ts'
import type { Owner } from '../../processes/running-process.ts'

// Containers leave files of any user; only root can give or take those. A process that is still there could put a link
// where a folder was, between the look and the deed, and root would go on behind it. So each folder is opened without
// following links and everything in it is reached through that open folder, which nobody can exchange.

const openFolder = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)

const within = (folder: FileHandle): string => `/proc/self/fd/${folder.fd}`

/** What somebody else removed or exchanged meanwhile is his own affair. */
const tolerateChange = (error: unknown): void => {
  const code = systemCode(error)
  if (code !== 'ENOENT' && code !== 'ELOOP' && code !== 'ENOTDIR') throw error
}

type Deeds = {
  /** Before a folder is gone into. */
  enter(folder: FileHandle): Promise<void>
  file(path: string): Promise<void>
  /** After everything in it. */
  leave(path: string): Promise<void>
}

const walk = async (folder: FileHandle, deeds: Deeds): Promise<void> => {
  await deeds.enter(folder)
  for (const entry of await readdir(within(folder), { withFileTypes: true })) {
    const path = join(within(folder), entry.name)
    try {
      if (entry.isDirectory()) {
        await using inner = await openFolder(path)
        await walk(inner, deeds)
        await deeds.leave(path)
      } else await deeds.file(path)
    } catch (error) {
      tolerateChange(error)
    }
  }
}

const isTheirs = (stat: BigIntStats, { uid, gid }: Owner): boolean =>
  stat.uid === BigInt(uid) && stat.gid === BigInt(gid)

/**
 * Gives everything in `directory` to `owner`, the directory included; links are not followed, and a file that has
 * another name elsewhere is left alone. Needs root and /proc.
 */
export const takeOver = async (directory: string, owner: Owner): Promise<void> => {
  await using folder = await openFolder(directory)
  await walk(folder, {
    enter: (entered) => entered.chown(owner.uid, owner.gid),
    file: async (path) => {
      const stat = await lstat(path, { bigint: true })
      if (isTheirs(stat, owner) || (stat.isFile() && stat.nlink > 1n)) return
      await lchown(path, owner.uid, owner.gid)
    },
    leave: async () => {},
  })
}

/** Removes `folder` with everything in it, whoever it belongs to. Needs root and /proc. */
export const removeAsRoot = async (folder: string): Promise<void> => {
  await using parent = await openFolder(dirname(folder))
  const path = join(within(parent), folder.slice(dirname(folder).length + 1))
  await using opened = await openFolder(path)
  await walk(opened, { enter: async () => {}, file: (file) => unlink(file), leave: (inner) => rmdir(inner) })
  await rmdir(path)
}
