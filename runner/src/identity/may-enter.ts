import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Whether an account may pass through a folder and all above it. `account` undefined: an account that owns none of the
 * folders.
 */
export function mayEnter(folder: string, account: number | undefined): boolean {
  const { mode, uid, gid } = statSync(folder)
  const bit = uid === account ? 0o100 : gid === account ? 0o010 : 0o001
  const parent = dirname(folder)
  return (mode & bit) !== 0 && (parent === folder || mayEnter(parent, account))
}
