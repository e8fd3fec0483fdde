import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeError, systemCode } from '../../errors.ts'
import { readText } from '../read-text.ts'

// The control groups of a runner (cgroup v2) lie below the group in which the runner was started. One is for the
// process that starts processes. Each process that it starts has a cell, with all its descendants. Processes stay in
// their cell whatever they do. Only an account that may write to the cell's folder takes them out, and no task of a
// root runner may.

/** Where the process that starts processes is while it starts none. */
export const HOME_CELL = 'home'

/** Tells that process by its arguments where the cgroup of its runner is. */
export const CGROUP_FLAG = '--cgroup='

/** The folder of this process's own cgroup; undefined without cgroup v2. */
export function findOwnCgroup(mountInfo: string, membership: string): string | undefined {
  const own = /^0::(\/.*)$/m.exec(membership)?.[1]
  if (own === undefined) return undefined
  for (const line of mountInfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ')
    if (!after.startsWith('cgroup2 ')) continue
    const [, , , root = '/', mountPoint = ''] = before.split(' ')
    // Spaces are written as \040; a path that needs that is not worth a parser.
    if (mountPoint === '' || mountPoint.includes('\\')) continue
    if (root === '/') return join(mountPoint, own)
    // Only a part of the tree is mounted, as in a container without a namespace of its own.
    if (own === root || own.startsWith(`${root}/`)) return join(mountPoint, own.slice(root.length))
  }
  return undefined
}

/** Goes with its disposal, when nothing runs in it any more. */
export type OpenedCgroup = Disposable &
  ({ readonly folder: string } | { readonly folder: undefined; readonly missing: string })

function none(missing: string): OpenedCgroup {
  return { folder: undefined, missing, [Symbol.dispose]: () => {} }
}

/** Makes the runner's cgroup and tries whether a process can move into one below it. */
export function openCgroup(name: string): OpenedCgroup {
  const own = findOwnCgroup(readText('/proc/self/mountinfo'), readText('/proc/self/cgroup'))
  if (own === undefined) return none('this machine has no cgroup v2')
  const folder = join(own, name)
  try {
    const trial = join(folder, 'trial')
    for (const each of [folder, join(folder, HOME_CELL), trial]) mkdirSync(each, { recursive: true })
    if (!existsSync(join(trial, 'cgroup.kill'))) return none('the kernel is older than 5.14')
    const moved = spawnSync('/bin/sh', ['-c', 'echo 0 > "$0"', join(trial, 'cgroup.procs')], {
      env: {},
      stdio: 'ignore',
    })
    rmdirSync(trial)
    if (moved.status !== 0) return none(`processes cannot be moved into ${folder}`)
    return { folder, [Symbol.dispose]: () => remove(folder) }
  } catch (error) {
    return none(describeError(error))
  }
}

function tolerateAbsence(error: unknown): void {
  const code = systemCode(error)
  // EBUSY: a killed process is still on its way out; ENODEV: the folder was removed while it was open.
  if (code !== 'ENOENT' && code !== 'EBUSY' && code !== 'ENODEV') throw error
}

function cellsOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch (error) {
    tolerateAbsence(error)
    return []
  }
}

/** Kills whatever runs in a cgroup and below it, at once: the kernel lets no fork escape. */
export function killCgroup(folder: string): void {
  try {
    writeFileSync(join(folder, 'cgroup.kill'), '1')
  } catch (error) {
    tolerateAbsence(error)
  }
}

/** Kills whatever runs in the runner's cgroup, and removes what is empty by then. Returns how many cells had processes. */
export function clearCgroup(folder: string): number {
  const cells = cellsOf(folder)
  const populated = cells.filter((cell) => readText(join(folder, cell, 'cgroup.procs')) !== '').length
  killCgroup(folder)
  for (const cell of cells) if (cell !== HOME_CELL) removeCgroup(join(folder, cell))
  return populated
}

export function removeCgroup(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    tolerateAbsence(error)
  }
}

function remove(folder: string): void {
  clearCgroup(folder)
  removeCgroup(join(folder, HOME_CELL))
  removeCgroup(folder)
}
