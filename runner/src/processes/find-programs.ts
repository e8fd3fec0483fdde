import { existsSync } from 'node:fs'
import { join } from 'node:path'

// The last one is that of NixOS.
const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin']

/** The full paths of a program on this machine. PATH is not asked, because the runner is often root. */
export function findPrograms(name: string): string[] {
  return FOLDERS.map((folder) => join(folder, name)).filter((path) => existsSync(path))
}
