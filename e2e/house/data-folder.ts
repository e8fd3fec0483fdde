import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Name of the environment variable by which the test runner tells where a data folder to copy lies. */
export const DATA_FOLDER_VARIABLE = 'SIGNALBOX_TEST_DATA_FOLDER'

/** Gives an empty data folder a database, which is quicker than to let the control plane make it. */
export function furnish(dataDir: string): void {
  const made = process.env[DATA_FOLDER_VARIABLE]
  if (made === undefined || existsSync(join(dataDir, 'postgres'))) return
  execFileSync('cp', ['-a', join(made, 'postgres'), dataDir])
}
