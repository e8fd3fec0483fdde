import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunnerError, systemCode } from '../errors.ts'
import { startTicks } from '../processes/strays.ts'

type Holder = { pid: number; startTicks: string | undefined; since: string }

const readHolder = (path: string): Holder | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number')
      return undefined
    const ticks = 'startTicks' in value && typeof value.startTicks === 'string' ? value.startTicks : undefined
    const since = 'since' in value && typeof value.since === 'string' ? value.since : ''
    return { pid: value.pid, startTicks: ticks, since }
  } catch {
    return undefined
  }
}

const isAlive = (holder: Holder): boolean => {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false
  }
  // After a restart of a container the same process id is somebody else's, perhaps our own.
  const ticks = startTicks(holder.pid)
  return holder.startTicks === undefined || ticks === undefined || ticks === holder.startTicks
}

/**
 * Takes the work folder for this process; it is given back on disposal, or by the next start after a crash.
 * Throws `runner.work_dir_in_use`, which names the holder.
 */
export const lockWorkDir = (folder: string, since: string): Disposable => {
  const path = join(folder, 'lock')
  const own = `${path}.${process.pid}`
  const holder: Holder = { pid: process.pid, startTicks: startTicks(process.pid), since }
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
      if (other !== undefined && isAlive(other)) {
        throw new RunnerError(
          'runner.work_dir_in_use',
          `The work-dir ${folder} is in use by the runner with process id ${other.pid}, started at ${other.since}. Give each runner a --work-dir of its own.`,
        )
      }
      discardStale(path)
    }
    throw new RunnerError('runner.work_dir_in_use', `The work-dir ${folder} is being taken by another runner.`)
  } finally {
    rmSync(own, { force: true })
  }
}

// Moved aside first: of two starts at once only one moves the stale lock, and a fresh one is put back.
const discardStale = (path: string): void => {
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
