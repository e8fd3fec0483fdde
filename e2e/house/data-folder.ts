import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Name of the environment variable by which the test runner tells where a data folder to copy lies. */
export const DATA_FOLDER_VARIABLE = 'SIGNALBOX_TEST_DATA_FOLDER'

/** Gives an empty data folder a database, which is quicker than to let the control plane make it. */
export function furnish(dataDir: string): void {
  const made = process.env[DATA_FOLDER_VARIABLE]
  if (made === undefined || existsSync(join(dataDir, 'postgres'))) return
  execFileSync('cp', ['-a', join(made, 'postgres'), dataDir])
}

/** Gives an empty data folder the objects of another one, as a disk that both mount. */
export function shareObjects(dataDir: string, other: string): void {
  const objects = join(other, 'objects')
  mkdirSync(objects, { recursive: true, mode: 0o700 })
  symlinkSync(objects, join(dataDir, 'objects'))
}
