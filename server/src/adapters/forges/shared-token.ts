import { hash, timingSafeEqual } from 'node:crypto'
import type { Verification, VerificationRequest } from './port.ts'

/**
 * Verifies a header that holds the secret itself. The comparison hashes both sides first, so that the time tells
 * neither content nor length. A token proves the sender and nothing about the body. A header that came twice or is
 * empty, and an empty secret, never match.
 */
export function verifySharedToken(
  { headers, secrets }: Pick<VerificationRequest, 'headers' | 'secrets'>,
  header: { readonly key: string; readonly title: string },
): Verification {
  const value = headers[header.key]
  if (value === undefined) return { outcome: 'missing', detail: `The delivery has no ${header.title} header.` }
  if (typeof value !== 'string' || value === '') {
    return { outcome: 'mismatch', detail: `${header.title} is not one token.` }
  }

  // Node hands over a header's bytes as the characters of Latin-1.
  const given = hash('sha256', Buffer.from(value, 'latin1'), 'buffer')
  let secretIndex = -1
  let usable = 0
  for (const [index, secret] of secrets.entries()) {
    if (secret.length === 0) continue
    usable += 1
    if (timingSafeEqual(hash('sha256', secret, 'buffer'), given) && secretIndex === -1) secretIndex = index
  }
  if (usable === 0) return { outcome: 'mismatch', detail: 'The source has no secret to verify with.' }
  if (secretIndex === -1) return { outcome: 'mismatch', detail: `${header.title} is not the source's secret.` }
  return { outcome: 'verified', secretIndex, detail: `${header.title} is the source's secret.` }
}
