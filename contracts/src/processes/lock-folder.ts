/**
 * The functions of `node:fs` and `node:child_process` for locking; handed in, because contracts import nothing of Node.
 */
export interface LockingSystem {
  existsSync(path: string): boolean
  openSync(path: string, flags: string): number
  closeSync(descriptor: number): void
  spawnSync(file: string, args: string[], options: SpawnOptions): { readonly status: number | null }
}

interface SpawnOptions {
  cwd: string
  env: Record<string, string>
  stdio: ('ignore' | number)[]
}

const PROGRAMS = ['/usr/bin/flock', '/bin/flock', '/run/current-system/sw/bin/flock']
const TAKEN = 1

/**
 * Locks a folder in the kernel, for as long as this process lives. The lock keeps out processes with another view of process
 * ids as well, such as a second container on the same volume. The program locks the description that both have open, and ends.
 * Undefined where the machine has no such program, or its file system no such locks.
 */
export function lockFolder(
  folder: string,
  { existsSync, openSync, closeSync, spawnSync }: LockingSystem,
): Disposable | 'taken' | undefined {
  const program = PROGRAMS.find((each) => existsSync(each))
  if (program === undefined) return undefined
  const descriptor = openSync(folder, 'r')
  const { status } = spawnSync(program, ['-n', '3'], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  })
  if (status === 0) return { [Symbol.dispose]: () => closeSync(descriptor) }
  closeSync(descriptor)
  return status === TAKEN ? 'taken' : undefined
}
