import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockFolder, readBirth } from '@signalbox/contracts/processes'
import { RunnerError, systemCode } from '../errors.ts'
import { statOf } from '../processes/strays.ts'

interface Holder {
  pid: number
  birth: string | undefined
  since: string
}

function readHolder(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number')
      return undefined
    const birth = 'birth' in value && typeof value.birth === 'string' ? value.birth : undefined
    const since = 'since' in value && typeof value.since === 'string' ? value.since : ''
    return { pid: value.pid, birth, since }
  } catch {
    return undefined
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false
  }
  // After a restart of a container the same process id is somebody else's, perhaps our own.
  const stat = statOf(holder.pid)
  // Without /proc, or where it hides other users' processes, only the life of the id is known.
  if (stat === '') return true
  const birth = readBirth(stat)
  return birth !== undefined && (holder.birth === undefined || birth === holder.birth)
}

/** A lock that this process has, or who has it. */
export type Locked = Disposable | { readonly heldBy: Holder | undefined }

/**
 * Takes the file `path` for this process as a lock: until its disposal, or until this process has ended, however it does.
 */
export function takeLock(path: string, since: string): Locked {
  const own = `${path}.${process.pid}`
  const holder: Holder = { pid: process.pid, birth: readBirth(statOf(process.pid)), since }
  writeFileSync(own, JSON.stringify(holder))
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        // A link fails where the name exists and shows the whole content at once.
        linkSync(own, path)
        return { [Symbol.dispose]: () => rmSync(path, { force: true }) }
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error
      }
      const other = readHolder(path)
      if (other !== undefined && isAlive(other)) return { heldBy: other }
      discardStale(path)
    }
    return { heldBy: undefined }
  } finally {
    rmSync(own, { force: true })
  }
}

/** Takes the work folder for this process. Throws `runner.work_dir_in_use`, which names the holder. */
export function lockWorkDir(folder: string, since: string): Disposable {
  const path = join(folder, 'lock')
  const held = lockFolder(folder, { existsSync, openSync, closeSync, spawnSync })
  if (held === 'taken') throw inUse(folder, readHolder(path))
  const locked = takeLock(path, since)
  if (!('heldBy' in locked)) {
    return {
      [Symbol.dispose]: () => {
        locked[Symbol.dispose]()
        held?.[Symbol.dispose]()
      },
    }
  }
  held?.[Symbol.dispose]()
  throw inUse(folder, locked.heldBy)
}

function inUse(folder: string, holder: Holder | undefined): RunnerError {
  return new RunnerError(
    'runner.work_dir_in_use',
    holder === undefined
      ? `The work-dir ${folder} is being taken by another runner.`
      : `The work-dir ${folder} is in use by the runner with process id ${holder.pid}, started at ${holder.since}. Give each runner a --work-dir of its own.`,
  )
}

// Moved aside first: of two starts at once only one moves the stale lock, and a fresh one is put back.
function discardStale(path: string): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  const moved = readHolder(aside)
  if (moved !== undefined && isAlive(moved)) {
    try {
      linkSync(aside, path)
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
  }
  rmSync(aside, { force: true })
}
