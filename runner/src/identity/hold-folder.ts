import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'

const programs = ['/usr/bin/flock', '/bin/flock', '/run/current-system/sw/bin/flock']
const isTaken = 1

/**
 * Locks a folder in the kernel, for as long as this process lives: also processes with another view of process ids are kept
 * out, such as a second container on the same volume. The program locks the description that both have open, and ends.
 * Undefined where the machine has no such program, or its file system no such locks. The server has the same file: neither may
 * import the other, and what both import (contracts, pipeline) uses nothing of Node.
 */
export function holdFolder(folder: string): Disposable | 'taken' | undefined {
  const program = programs.find((each) => existsSync(each))
  if (program === undefined) return undefined
  const descriptor = openSync(folder, 'r')
  const { status } = spawnSync(program, ['-n', '3'], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  })
  if (status === 0) return { [Symbol.dispose]: () => closeSync(descriptor) }
  closeSync(descriptor)
  return status === isTaken ? 'taken' : undefined
}
