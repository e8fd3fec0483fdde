import { timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createToken, sha256 } from '#platform/crypto'
import type { Kit } from '#platform/room'

const FILE = 'bootstrap-token'

/** The token that is an administrator until a real one revokes it: configured, or made in `data_dir`. */
export interface BootstrapToken {
  readonly configured: boolean
  /** In constant time; a revoked one is the snapshot's business. */
  matches(tokenSha256: Buffer): boolean
  /** Makes the file where none is configured and none is there; answers its path, undefined where one is configured. */
  prepare(): string | undefined
  /** Takes the file away; best effort, because the database says that it is worth nothing. */
  remove(): void
}

export function createBootstrapToken(kit: Kit): BootstrapToken {
  const given = kit.config.bootstrapAdminToken
  const path = join(kit.config.dataDir, FILE)
  let digest = given === undefined ? undefined : sha256(given)
  return {
    configured: given !== undefined,
    matches(tokenSha256) {
      // Read again until it is there: another process of this installation may make it.
      digest ??= digestOfFile(path)
      return digest !== undefined && timingSafeEqual(digest, tokenSha256)
    },
    prepare() {
      if (given !== undefined) return undefined
      digest ??= digestOfFile(path)
      if (digest) return path
      mkdirSync(kit.config.dataDir, { recursive: true, mode: 0o700 })
      // wx: two processes that start at once must not each make one.
      try {
        writeFileSync(path, `${createToken('bootstrap').token}\n`, { mode: 0o600, flag: 'wx' })
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      }
      digest = digestOfFile(path)
      return path
    },
    remove() {
      // Also where one is configured: `signalbox up` configures the token of this very file.
      if (given === undefined) digest = undefined
      rmSync(path, { force: true })
    },
  }
}

function digestOfFile(path: string): Buffer | undefined {
  try {
    const token = readFileSync(path, 'utf8').trim()
    return token === '' ? undefined : sha256(token)
  } catch {
    return undefined
  }
}
