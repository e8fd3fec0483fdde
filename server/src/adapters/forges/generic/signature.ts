import { verifyPrefixedSha256 } from '../hmac-signature.ts'
import type { Verification, VerificationRequest } from '../port.ts'
import { SIGNATURE_HEADER, verifyStandardWebhooks } from '../standard-webhooks.ts'

/** As GitHub signs. */
export const BARE_SIGNATURE = { key: 'x-hub-signature-256', title: 'X-Hub-Signature-256' }
const NOTHING = Buffer.alloc(0)

/**
 * Standard Webhooks where the delivery carries a `webhook-signature`, else `X-Hub-Signature-256`, which signs neither
 * id nor time. No delivery chooses the weaker scheme for itself. A secret of the form `whsec_`, `whpk_` or `whsk_`
 * serves Standard Webhooks only. A wrong `webhook-signature` is not made good by the other header.
 */
export function verifySignature(request: VerificationRequest): Verification {
  if (request.headers[SIGNATURE_HEADER] !== undefined) return verifyStandardWebhooks(request)
  const secrets = request.secrets.map((secret) => (isForStandardWebhooks(secret) ? NOTHING : secret))
  if (secrets.every((secret) => secret.length === 0)) {
    return { outcome: 'missing', detail: 'The delivery has no webhook-signature header.' }
  }
  if (request.headers[BARE_SIGNATURE.key] === undefined) {
    return { outcome: 'missing', detail: 'The delivery has neither a webhook-signature nor an X-Hub-Signature-256.' }
  }
  return verifyPrefixedSha256({ ...request, secrets }, BARE_SIGNATURE)
}

function isForStandardWebhooks(secret: Buffer): boolean {
  return /^wh(?:sec|pk|sk)_/.test(secret.toString('latin1', 0, 6))
}
