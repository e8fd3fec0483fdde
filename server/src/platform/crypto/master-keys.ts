import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class MasterKeyWrong extends Error {
  override readonly name = 'MasterKeyWrong'
  readonly code = 'crypto.master_key_wrong'
}

export interface MasterKeySources {
  /** `secret_key`: one key, or `1=<key>,2=<key>`. */
  readonly configured: string | undefined
  readonly dataDir: string
  /** False with an external database: a key made here would not be there on the next machine. */
  readonly mayCreate: boolean
}

const KEY_BYTES = 32

/** The master keys by version. Made in `dataDir/secret-key` (mode 0600) at the first start where none is configured. */
export function loadMasterKeys(sources: MasterKeySources): ReadonlyMap<number, Uint8Array> {
  if (sources.configured) return parseKeys(sources.configured)
  const path = join(sources.dataDir, 'secret-key')
  if (existsSync(path)) return parseKeys(readFileSync(path, 'utf8').trim())
  if (!sources.mayCreate) {
    throw new MasterKeyWrong(
      'secret_key is required with database_url: set SECRET_KEY to 64 hex digits (openssl rand -hex 32) and keep it safe.',
    )
  }
  const made = randomBytes(KEY_BYTES).toString('hex')
  writeFileSync(path, `${made}\n`, { mode: 0o600, flag: 'wx' })
  return parseKeys(made)
}

function parseKeys(text: string): ReadonlyMap<number, Uint8Array> {
  if (!/^\d+=/.test(text)) return new Map([[1, parseKey(text)]])
  return new Map(
    text.split(',').map((part) => {
      const [version = '', ...rest] = part.trim().split('=')
      const number = Number(version)
      if (!Number.isSafeInteger(number) || number < 1 || number > 0xffffffff) {
        throw new MasterKeyWrong('secret_key: a version must be a whole number from 1.')
      }
      return [number, parseKey(rest.join('='))]
    }),
  )
}

function parseKey(text: string): Uint8Array {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length !== KEY_BYTES) {
    throw new MasterKeyWrong('secret_key must be 32 bytes as 64 hex digits or base64.')
  }
  return bytes
}
