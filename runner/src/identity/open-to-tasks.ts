import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whether this user or group id is one of those that tasks run as. */
export type IsTaskId = (id: number) => boolean

const BY_GROUP = 0o020
const BY_ALL = 0o002
const STICKY = 0o1000

/**
 * The folder in which a task could put files, or exchange what leads to `folder`: itself or one above it. Undefined where
 * there is none. `folder` is real: no part of it is a link. Throws the system's error where it is not there.
 */
export function findOpenToTasks(folder: string, isTaskId: IsTaskId): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    if (isTaskId(uid) || (isTaskId(gid) && (mode & BY_GROUP) !== 0)) return at
    // In a sticky folder, such as the temporary one, only owners can exchange their files.
    if ((mode & BY_ALL) !== 0 && (at === folder || (mode & STICKY) === 0)) return at
    if (at === dirname(at)) return undefined
  }
}
