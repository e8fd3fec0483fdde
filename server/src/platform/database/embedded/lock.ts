import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '#platform/time'

/** Another process works in this data folder. */
export class DataDirHeld extends Error {
  override readonly name = 'DataDirHeld'
  readonly code = 'database.data_dir_held'
}

interface Holder {
  readonly pid: number
  /** When the process was started, in the kernel's ticks: a pid alone may have been given to another process. */
  readonly birth: string
}

export interface DataDirLock {
  release(): void
}

/**
 * One data folder belongs to one process. A lock left by a process that no longer lives is taken over; for one that
 * is just ending (its parent was killed, and it stops by itself) the start waits up to `waitMs`.
 */
export async function lockDataDir(dataDir: string, clock: Clock, waitMs: number): Promise<DataDirLock> {
  const deadline = clock.monotonic() + waitMs
  for (;;) {
    try {
      return tryLock(dataDir)
    } catch (error) {
      if (!(error instanceof DataDirHeld) || clock.monotonic() >= deadline) throw error
      await clock.sleep(100)
    }
  }
}

function tryLock(dataDir: string): DataDirLock {
  const path = join(dataDir, 'lock')
  const mine = JSON.stringify({ pid: process.pid, birth: birthOf(process.pid) ?? '' } satisfies Holder)
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: 0o600 })
      return { release: () => rmSync(path, { force: true }) }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const holder = readHolder(path)
      if (attempt > 3 || (holder && birthOf(holder.pid) === holder.birth && holder.pid !== process.pid)) {
        throw new DataDirHeld(
          `The data folder ${dataDir} is in use by process ${holder?.pid ?? '(unknown)'}: stop it, or set DATA_DIR to another folder.`,
        )
      }
      rmSync(path, { force: true })
    }
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('birth' in value)) return undefined
    return { pid: Number(value.pid), birth: String(value.birth) }
  } catch {
    return undefined
  }
}

/** Undefined when no such process lives. Outside Linux only the life of the pid is known. */
function birthOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return undefined
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command may hold spaces and brackets; the fields after the last ")" are regular. Field 22 is starttime.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return process.platform === 'linux' ? undefined : 'alive'
  }
}
