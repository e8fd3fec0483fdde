import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SIGNALBOX } from './programs.ts'

/**
 * The command to type here for this program on a data folder. `npx` finds it in its own checkout only; elsewhere it
 * would ask a registry for a package of this name.
 */
export function commandLine(cwd: string, dataDir: string): string {
  const program = existsSync(join(cwd, 'node_modules/.bin/signalbox')) ? 'npx signalbox' : shellWord(SIGNALBOX)
  return dataDir === join(cwd, '.signalbox') ? program : `DATA_DIR=${shellWord(dataDir)} ${program}`
}

/** A word as a POSIX shell reads it back. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
