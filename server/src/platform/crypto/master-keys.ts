import { hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export class MasterKeyWrong extends Error {
  override readonly name = 'MasterKeyWrong'
  readonly code = 'crypto.master_key_wrong'
}

/** Master keys by version: the highest seals, all of them open. */
export type MasterKeys = ReadonlyMap<number, Uint8Array>

export interface MasterKeySources {
  /** `secret_key`: one key, or `1=<key>,2=<key>`. */
  readonly configured: string | undefined
  readonly dataDir: string
}

const KEY_BYTES = 32

/** Where a key lies that was made here. */
export function masterKeyPath(dataDir: string): string {
  return join(dataDir, 'secret-key')
}

/** The configured keys, else those of `dataDir/secret-key`; undefined without either. */
export function findMasterKeys({ configured, dataDir }: MasterKeySources): MasterKeys | undefined {
  if (configured) return parseKeys(configured)
  const path = masterKeyPath(dataDir)
  if (!existsSync(path)) return undefined
  const text = readFile(path).trim()
  if (text === '')
    throw new MasterKeyWrong(`The file ${path} is empty: bring it back from a backup, or set SECRET_KEY.`)
  return parseKeys(text)
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const advice = 'give it to the user that Signalbox runs as, or start as the user that made it.'
    throw new MasterKeyWrong(`The file ${path} cannot be read: ${advice}`, { cause })
  }
}

/**
 * Makes a key in `dataDir/secret-key` (mode 0600). The key is on disk before anything is sealed with it. Only for a database in
 * which nothing is sealed.
 */
export function makeMasterKey(dataDir: string): MasterKeys {
  const keys = new Map([[1, randomBytes(KEY_BYTES)]])
  writeMasterKeys(masterKeyPath(dataDir), keys)
  return keys
}

/** Mode 0600; whole or not there. */
export function writeMasterKeys(path: string, keys: MasterKeys): void {
  const hex = [...keys].map(([version, key]) => [version, Buffer.from(key).toString('hex')] as const)
  const [[version, only] = [], ...others] = hex
  const written = version === 1 && others.length === 0 ? only : hex.map((pair) => pair.join('=')).join(',')
  writeFileSync(`${path}.new`, `${written}\n`, { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** The mark by which a database recognises a key: derived from the key, and of no use to open anything. */
export function keyFingerprint(key: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'signalbox/key-check/v1', KEY_BYTES))
}

function parseKeys(text: string): MasterKeys {
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
