import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Verification, VerificationRequest } from './port.ts'

export interface SignatureHeader {
  /** In lower case, as Node gives it. */
  readonly key: string
  /** As the provider writes it. */
  readonly title: string
}

/** A pattern is checked before decoding: Buffer.from(text, 'hex') silently stops at the first character that is no digit. */
interface Form {
  readonly pattern: RegExp
  readonly description: string
}

const PREFIXED: Form = { pattern: /^sha256=([0-9a-f]{64})$/i, description: 'one "sha256=" with 64 hexadecimal digits' }
const BARE: Form = { pattern: /^([0-9a-f]{64})$/i, description: 'one text of 64 hexadecimal digits' }

/**
 * Verifies a header of the form `sha256=<hex HMAC-SHA-256 of the raw body>` against each live secret, in constant time.
 * A header that came twice, has another algorithm, or whose digest is short, long or empty is a mismatch. Every
 * delivery of a source with empty secrets only is a mismatch, too.
 */
export function verifyPrefixedSha256(signed: VerificationRequest, header: SignatureHeader): Verification {
  return verifySha256(signed, header, PREFIXED)
}

/** As `verifyPrefixedSha256`, for a header that holds the hexadecimal digits alone. */
export function verifyBareSha256(signed: VerificationRequest, header: SignatureHeader): Verification {
  return verifySha256(signed, header, BARE)
}

function verifySha256(
  { headers, rawBody, secrets }: VerificationRequest,
  header: SignatureHeader,
  form: Form,
): Verification {
  const value = headers[header.key]
  if (value === undefined) return { outcome: 'missing', detail: `The delivery has no ${header.title} header.` }
  const digest = typeof value === 'string' ? form.pattern.exec(value)?.[1] : undefined
  if (digest === undefined) return { outcome: 'mismatch', detail: `${header.title} is not ${form.description}.` }

  const given = Buffer.from(digest, 'hex')
  let secretIndex = -1
  let usable = 0
  for (const [index, secret] of secrets.entries()) {
    if (secret.length === 0) continue
    usable += 1
    const expected = createHmac('sha256', keyOf(secret)).update(rawBody).digest()
    if (timingSafeEqual(expected, given) && secretIndex === -1) secretIndex = index
  }
  if (usable === 0) return { outcome: 'mismatch', detail: 'The source has no secret to verify with.' }
  if (secretIndex === -1) {
    return { outcome: 'mismatch', detail: `${header.title} does not match the source's secret.` }
  }
  return { outcome: 'verified', secretIndex, detail: `${header.title} matches the source's secret.` }
}

/** By the buffer itself, which its owner never changes: a key goes when its secret does. */
const keys = new WeakMap<Buffer, KeyObject>()

/** Node takes twice as long with a Buffer for the key: 12 microseconds for 8 KB instead of 6. */
function keyOf(secret: Buffer): KeyObject {
  const known = keys.get(secret)
  if (known) return known
  const key = createSecretKey(secret)
  keys.set(secret, key)
  return key
}
