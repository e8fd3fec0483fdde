import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Seals values with AES-256-GCM in an envelope: each value gets a data key of its own, which the master key wraps.
 * A change of the master key thus re-wraps short keys instead of re-encrypting values.
 * `context` (such as `secret:<id>:<version>`) is authenticated: a sealed value moved to another row does not open.
 */
export interface Sealer {
  readonly keyVersion: number
  seal(plaintext: string, context: string): Buffer
  /** Throws `SealBroken` when the key version is unknown, the context differs or a byte was changed. */
  open(sealed: Uint8Array, context: string): string
  /**
   * A mark of the text at this place, as 32 hexadecimal digits: without the key nobody can tell which text it is of, and
   * another place has another mark. It is another one once the master key has changed: for what lasts minutes.
   */
  mark(text: string, context: string): string
}

export class SealBroken extends Error {
  override readonly name = 'SealBroken'
  readonly code = 'crypto.seal_broken'
}

const FORMAT = 1
const NONCE = 12
const TAG = 16
const KEY = 32
const WRAPPED = NONCE + KEY + TAG
const HEADER = 1 + 4

/** `keys` by version; the highest version seals, all of them open. Each key is 32 bytes. */
export function createSealer(keys: ReadonlyMap<number, Uint8Array>): Sealer {
  const keyVersion = Math.max(...keys.keys())
  const derived = new Map([...keys].map(([version, key]) => [version, deriveKey(key, 'signalbox/seal/v1')]))
  const [current, newest] = [derived.get(keyVersion), keys.get(keyVersion)]
  if (!current || !newest) throw new SealBroken('No key to seal with')
  const markKey = deriveKey(newest, 'signalbox/mark/v1')
  return {
    keyVersion,
    seal(plaintext, context) {
      const dataKey = randomBytes(KEY)
      const header = Buffer.alloc(HEADER)
      header.writeUInt8(FORMAT, 0)
      header.writeUInt32BE(keyVersion, 1)
      const wrapped = encrypt(current, dataKey, context)
      return Buffer.concat([header, wrapped, encrypt(dataKey, Buffer.from(plaintext, 'utf8'), context)])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed)
      if (bytes.length < HEADER + WRAPPED + NONCE + TAG || bytes.readUInt8(0) !== FORMAT) {
        throw new SealBroken('Not a sealed value')
      }
      const master = derived.get(bytes.readUInt32BE(1))
      if (!master) throw new SealBroken(`No key of version ${bytes.readUInt32BE(1)}: is secret_key the one it was?`)
      const dataKey = decrypt(master, bytes.subarray(HEADER, HEADER + WRAPPED), context)
      return decrypt(dataKey, bytes.subarray(HEADER + WRAPPED), context).toString('utf8')
    },
    mark(text, context) {
      // As JSON, so that no other text and place are written alike.
      return createHmac('sha256', markKey)
        .update(JSON.stringify([context, text]))
        .digest('hex')
        .slice(0, 32)
    },
  }
}

function deriveKey(key: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, KEY))
}

function encrypt(key: Uint8Array, plaintext: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context, 'utf8'))
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Uint8Array, bytes: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE))
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE, bytes.length - TAG)), decipher.final()])
  } catch (cause) {
    throw new SealBroken('The sealed value does not open: wrong key, wrong place or changed bytes', { cause })
  }
}
