import { verifyBareSha256, verifyPrefixedSha256 } from '../hmac-signature.ts'
import type { Verification, VerificationRequest, WebhookHeaders } from '../port.ts'
import type { Dialect } from './dialect.ts'

/**
 * The first of the dialect's headers that a delivery carries decides: a wrong one is a mismatch, whatever the others
 * say. Without a secret these providers send their headers empty, and an empty one proves nothing.
 */
export function verify({ title, signatures }: Dialect, request: VerificationRequest): Verification {
  const [preferred] = signatures
  const header = signatures.find(({ key }) => request.headers[key] !== undefined) ?? preferred
  if (isEmpty(request.headers[header.key])) {
    return { outcome: 'mismatch', detail: `${header.title} is empty: set a secret in the webhook at ${title}.` }
  }
  return header.prefixed ? verifyPrefixedSha256(request, header) : verifyBareSha256(request, header)
}

function isEmpty(value: WebhookHeaders[string]): boolean {
  return value === '' || value === 'sha256='
}
