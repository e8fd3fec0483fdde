import { chmod, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The file system in memory that Linux gives every process. */
const IN_MEMORY = '/dev/shm'
/** How the name of a run's folder begins. It is short: container engines put sockets below it, whose paths are bounded. */
const PREFIX = 'sb-'
/** In the folder: the id of the process that uses it. */
const OWNER = 'owner'
/** What databases, repositories and workspaces of a whole run take at most, several times over. */
const ENOUGH_BYTES = 8 * 2 ** 30

/**
 * A new folder for everything that tests write: in memory where there is plenty of it and programs may start from there,
 * else where temporary files usually lie. Databases are made, copied and removed hundreds of times.
 */
export async function makeTemporaryFolder(): Promise<string> {
  const place = (await hasRoom()) ? IN_MEMORY : tmpdir()
  await removeLeftFolders(place)
  const folder = await mkdtemp(join(place, PREFIX))
  await writeFile(join(folder, OWNER), String(process.pid))
  // As open as the place itself: PostgreSQL and tasks run as accounts of their own.
  await chmod(folder, 0o1777)
  return folder
}

/** Removes it with all that is in it; what a mount of a test holds stays, and is named. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    console.error(`Something was left in ${folder}:`, error)
  }
}

/** Of runs that were killed: in memory they would stay until the machine restarts. */
async function removeLeftFolders(place: string): Promise<void> {
  const names = (await readdir(place)).filter((name) => name.startsWith(PREFIX))
  for (const folder of names.map((name) => join(place, name))) {
    const owner = await readFile(join(folder, OWNER), 'utf8').catch(() => undefined)
    if (owner !== undefined && !isAlive(Number(owner))) await removeTemporaryFolder(folder)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function hasRoom(): Promise<boolean> {
  // Whoever names a folder wants that one.
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return false
  try {
    const [{ bavail, bsize }, memory, mounts] = await Promise.all([
      statfs(IN_MEMORY),
      readFile('/proc/meminfo', 'utf8'),
      readFile('/proc/mounts', 'utf8'),
    ])
    const available = Number(/^MemAvailable:\s+(\d+) kB$/m.exec(memory)?.[1] ?? 0) * 1024
    return Math.min(bavail * bsize, available / 2) >= ENOUGH_BYTES && startsPrograms(mounts)
  } catch {
    return false
  }
}

/** Whether the mounts of a machine, as in /proc/mounts, let programs start from the folder in memory. */
export function startsPrograms(mounts: string): boolean {
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, place]) => place === IN_MEMORY)?.[3]
  return options !== undefined && !options.split(',').includes('noexec')
}
