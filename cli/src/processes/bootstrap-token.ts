import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { bootstrapTokenPath } from '../config/local-instance.ts'
import { CommandFailed, messageOf, systemCode } from '../errors.ts'

/**
 * The token of the first administrator of a data folder, created if needed: 32 random bytes, readable by this user
 * only. Handed to the server as `bootstrap_admin_token`, so that a product on one machine works without a setup. Throws
 * CommandFailed where the folder cannot be written.
 */
export function obtainBootstrapToken(dataDir: string): string {
  const path = bootstrapTokenPath(dataDir)
  try {
    // The embedded database runs as another user below it when we are root, and passes through.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    makeToken(path)
    chmodSync(path, 0o600)
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw new CommandFailed(
      'usage',
      `The data folder ${dataDir} cannot be used: ${messageOf(error)}.`,
      'Start it in a folder of your own, or choose another one with --data-dir or DATA_DIR.',
    )
  }
}

function makeToken(path: string): void {
  try {
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
