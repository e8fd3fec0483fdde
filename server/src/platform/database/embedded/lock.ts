import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockFolder } from '@signalbox/contracts/processes'
import { birthOf } from '#platform/processes'
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

const UNREADABLE: Holder = { pid: 0, birth: 'unreadable' }
const ATTEMPTS = 10

export interface DataDirLock {
  release(): void
}

/**
 * One data folder belongs to one process. The lock of a process that no longer lives is taken over. A process that is just
 * ending (its parent was killed, and it stops by itself) is waited for, up to `waitMs`.
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

/** The kernel's lock keeps out what sees other process ids; the file names the holder, and holds where there is no such lock. */
function tryLock(dataDir: string): DataDirLock {
  const kernel = lockFolder(dataDir, { existsSync, openSync, closeSync, spawnSync })
  if (kernel === 'taken') throw held(dataDir, readHolder(join(dataDir, 'lock')))
  try {
    const lock = takeLock(dataDir)
    return {
      release: () => {
        lock.release()
        kernel?.[Symbol.dispose]()
      },
    }
  } catch (error) {
    kernel?.[Symbol.dispose]()
    throw error
  }
}

/**
 * The lock is a file that names its holder. The lock of a dead process is never removed: of two starts that find the lock,
 * one could remove what the other has just made. Instead each dead holder has one right of succession, a file that is
 * claimed once. The process that claims the right puts its own lock in the place of the dead one.
 */
function takeLock(dataDir: string): DataDirLock {
  const path = join(dataDir, 'lock')
  const mine = `${path}.${process.pid}.${randomUUID()}`
  writeFileSync(mine, JSON.stringify({ pid: process.pid, birth: birthOf(process.pid) ?? '' } satisfies Holder), {
    mode: 0o600,
  })
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (claim(mine, path)) return { release: () => rmSync(path, { force: true }) }
      const holder = readHolder(path)
      if (holder === undefined) continue
      if (isAlive(holder)) throw held(dataDir, holder)
      if (follow(dataDir, mine, holder)) return { release: () => rmSync(path, { force: true }) }
    }
    throw held(dataDir, undefined)
  } finally {
    rmSync(mine, { force: true })
  }
}

/** Whether the place of `dead` is ours now. False: somebody else was quicker, and the lock is to be looked at again. */
function follow(dataDir: string, mine: string, dead: Holder): boolean {
  const path = join(dataDir, 'lock')
  const rights: string[] = []
  // Somebody who was about to follow may have died too: then there is a right to follow that one.
  for (let last = dead; ; ) {
    const right = `${path}.after-${last.pid}-${last.birth}`
    rights.push(right)
    if (claim(mine, right)) break
    const next = readHolder(right)
    if (next === undefined) return false
    if (isAlive(next)) throw held(dataDir, next)
    last = next
  }
  // The right counts for this dead holder only: it may have been followed already, and its right given up.
  const now = readHolder(path)
  if (now === undefined || now.pid !== dead.pid || now.birth !== dead.birth) {
    rmSync(rights.at(-1) ?? '', { force: true })
    return false
  }
  renameSync(mine, path)
  for (const right of rights) rmSync(right, { force: true })
  return true
}

/** Makes the file with all that stands in it, or not at all: a reader never sees half of it. */
function claim(mine: string, path: string): boolean {
  try {
    linkSync(mine, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function held(dataDir: string, holder: Holder | undefined): DataDirHeld {
  return new DataDirHeld(
    `The data folder ${dataDir} is in use by process ${holder?.pid ?? '(unknown)'}: stop it, or set DATA_DIR to another folder.`,
  )
}

/** A process with our own number is an earlier one: in a container each start may have the same. */
function isAlive(holder: Holder): boolean {
  return holder.pid !== process.pid && birthOf(holder.pid) === holder.birth
}

/** Undefined where there is no such file. A file left by a crash of the machine names a process that is gone. */
function readHolder(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('birth' in value)) return UNREADABLE
    return { pid: Number(value.pid), birth: String(value.birth).replace(/\W/g, '') }
  } catch (error) {
    return error instanceof SyntaxError ? UNREADABLE : undefined
  }
}
