import { lchown, rm, rmdir } from 'node:fs/promises'
import { systemCode } from '../../errors.ts'
import type { Owner } from '../../processes/running-process.ts'
import { runAs } from './run-as.ts'
import { removeAsRoot } from './take-over.ts'

/**
 * Removes a folder that a task has had to itself. By path never as root: a process that the task left behind could put a
 * link where a folder was, between the look and the removal, and root would go on behind it. As the task's own user
 * nothing is lost but what that user may lose. What containers left as other users goes without paths.
 * Throws the system's error where something stays.
 */
export const removeTree = async (folder: string, owner: Owner | undefined): Promise<void> => {
  if (owner === undefined) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    return
  }
  // It may have been closed to its user, as those of containers are.
  await lchown(folder, owner.uid, owner.gid).catch(tolerateAbsence)
  await runAs(owner, '/bin/rm', ['-rf', '--', folder])
  if (await isRemoved(folder)) return
  // Folders that their owner may not enter.
  await runAs(owner, '/bin/chmod', ['-R', 'u+rwx', '--', folder])
  await runAs(owner, '/bin/rm', ['-rf', '--', folder])
  if (!(await isRemoved(folder))) await removeAsRoot(folder)
}

/** The folder itself lies where the task's user cannot write, so nobody has put anything in its place. */
const isRemoved = async (folder: string): Promise<boolean> => {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return true
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}

const tolerateAbsence = (error: unknown): void => {
  if (systemCode(error) !== 'ENOENT') throw error
}
