import { spawnSync } from 'node:child_process'
import { findPrograms } from './find-programs.ts'

/**
 * Keeps tasks on the host from using setuid bits and devices below a folder, even those that a container makes at this
 * very moment. The tasks see the folder by a `nosuid,nodev` mount in a mount namespace of their own. Nothing changes
 * for anybody else, and nothing stays when the tasks have ended. `before` stands before a command.
 */
export interface MountView {
  readonly held: boolean
  readonly before: readonly string[]
}

// Later mounts on the machine are seen in the namespace as well.
const FLAGS = ['--mount', '--propagation', 'slave', '--']
const SCRIPT = 'mount --bind "$0" "$0" && mount -o remount,bind,nosuid,nodev "$0" && exec "$@"'

/** Needs root and the right to mount: a runner in a container has none, as a rule. */
export function restrictedView(folder: string): MountView {
  const none = { held: false, before: [] }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return none
  const [program] = findPrograms('unshare')
  if (program === undefined) return none
  const before = [program, ...FLAGS, '/bin/sh', '-c', SCRIPT, folder]
  const [file = '', ...args] = [...before, '/bin/sh', '-c', ':']
  const tried = spawnSync(file, args, { cwd: '/', env: {}, stdio: 'ignore' })
  return tried.status === 0 ? { held: true, before } : none
}
