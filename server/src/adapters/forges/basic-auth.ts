import { createHash, timingSafeEqual } from 'node:crypto'
import type { Verification, VerificationRequest } from './port.ts'

/** In lower case, as Node gives it. */
export const BASIC_AUTH_HEADER = 'authorization'
const VALUE = /^basic +([A-Za-z0-9+/]+={0,2})$/i
const COLON = 58

/**
 * Verifies `Authorization: Basic base64(user:password)` against each live secret of the form `user:password`. The
 * comparison hashes both sides first, so that the time tells neither content nor length. A header that came twice, is
 * of another scheme or not exactly base64, and a secret without a password, never match.
 */
export function verifyBasicAuth({ headers, secrets }: Pick<VerificationRequest, 'headers' | 'secrets'>): Verification {
  const value = headers[BASIC_AUTH_HEADER]
  if (value === undefined) return { outcome: 'missing', detail: 'The delivery has no Authorization header.' }
  const given = typeof value === 'string' ? readCredentials(value) : undefined
  if (given === undefined) {
    return { outcome: 'mismatch', detail: 'Authorization is not one "Basic" with user and password in base64.' }
  }

  const digest = digestOf(given)
  let secretIndex = -1
  let usable = 0
  for (const [index, secret] of secrets.entries()) {
    if (!hasPassword(secret)) continue
    usable += 1
    if (timingSafeEqual(digestOf(secret), digest) && secretIndex === -1) secretIndex = index
  }
  if (usable === 0) {
    return { outcome: 'mismatch', detail: 'The source has no secret of the form user:password to verify with.' }
  }
  if (secretIndex === -1) {
    return { outcome: 'mismatch', detail: "The user and password of Authorization are not the source's." }
  }
  return { outcome: 'verified', secretIndex, detail: "The user and password of Authorization are the source's." }
}

/** A sentence where the secret is not of the form `user:password`; else null. */
export function findPasswordFault(secret: Buffer): string | null {
  return hasPassword(secret) ? null : "The source's secret must be user:password, as they are entered at the provider."
}

/** Undefined unless the text is what encoding its own bytes gives: Buffer.from skips whatever is no base64. */
function readCredentials(header: string): Buffer | undefined {
  const encoded = VALUE.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const decoded = Buffer.from(encoded, 'base64')
  return decoded.toString('base64') === encoded && hasPassword(decoded) ? decoded : undefined
}

/** An empty user is fine, as some providers offer only a password. */
function hasPassword(credentials: Buffer): boolean {
  const colon = credentials.indexOf(COLON)
  return colon !== -1 && colon < credentials.length - 1
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
