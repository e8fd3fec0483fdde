import { realpathSync } from 'node:fs'
import { delimiter, isAbsolute } from 'node:path'
import { systemCode } from '../errors.ts'
import { findOpenToTasks, type IsTaskId } from './open-to-tasks.ts'

/**
 * The folders of PATH in which no task can put a program: what another team's tasks and git start must not be theirs. A
 * folder that is not there is left out, since a task might make it; npm names one for each folder above its package.
 */
export function safeSearchPath(path: string, isTaskId: IsTaskId): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && isSafe(folder, isTaskId))
    .join(delimiter)
}

function isSafe(folder: string, isTaskId: IsTaskId): boolean {
  try {
    return findOpenToTasks(realpathSync(folder), isTaskId) === undefined
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}
