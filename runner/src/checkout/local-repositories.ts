import { realpathSync, statSync } from 'node:fs'
import { liesWithin, readAbsolutePath } from '@signalbox/contracts/repository'
import { describeError, RunnerError } from '../errors.ts'
import { findOpenToTasks, type IsTaskId } from '../identity/open-to-tasks.ts'

/** A folder whose repositories may be checked out, as the operator wrote it and where it really lies. */
export interface LocalFolder {
  readonly written: string
  readonly real: string
}

function refuse(folder: string, why: string): RunnerError {
  return new RunnerError('runner.option_invalid', `--local-repositories names ${folder}, ${why}.`)
}

/**
 * Reads the folders of `--local-repositories`. A repository names other files that belong to it, so no task may make a
 * repository there. A folder that tasks may write to is refused, and so is every folder below it. A runner that is not
 * root runs tasks as itself; there a repository names nothing that a task could not read anyway. Throws
 * `runner.option_invalid`.
 */
export function openLocalFolders(folders: readonly string[], isTaskId: IsTaskId): readonly LocalFolder[] {
  return folders.map((folder) => {
    const written = readAbsolutePath(folder)
    if (written === undefined)
      throw refuse(folder, 'which is no plain absolute path such as /srv/git, without ".", ".." and "*"')
    let real: string
    try {
      real = realpathSync(written)
      if (readAbsolutePath(real) === undefined) throw refuse(folder, `which is ${real}: no plain path`)
      if (!statSync(real).isDirectory()) throw refuse(folder, 'which is no folder')
    } catch (error) {
      if (error instanceof RunnerError) throw error
      throw refuse(folder, `which cannot be read: ${describeError(error)}`)
    }
    const open = findOpenToTasks(real, isTaskId)
    if (open === undefined) return { written, real }
    throw refuse(folder, `but tasks may write to ${open}: take the right to write there from all users`)
  })
}

/**
 * Where a local repository really lies; undefined: not in one of the folders, or not there at all. Links out of a folder
 * do not count as being in it, nor does a path that git would read as a pattern (`readAbsolutePath`).
 */
export function findLocalRepository(path: string, folders: readonly LocalFolder[]): string | undefined {
  if (!folders.some(({ written, real }) => liesWithin(path, [written, real]))) return undefined
  try {
    const real = realpathSync(path)
    const allowed = folders.map((folder) => folder.real)
    return liesWithin(real, allowed) && readAbsolutePath(real) !== undefined ? real : undefined
  } catch {
    return undefined
  }
}
