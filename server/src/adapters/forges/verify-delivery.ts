import type { Forge, Reading, Verification, VerificationRequest } from './port.ts'

type Verified = Extract<Verification, { readonly outcome: 'verified' }>

/** The proof of a delivery, with its content only if the sender is proved. */
export type DeliveryVerification =
  | { readonly verification: Verified; readonly reading: Reading; readonly deliveryId: string | null }
  | { readonly verification: Exclude<Verification, Verified> }

/** All that is done with the bytes of a delivery. */
export function verifyDelivery({ title, webhooks }: Forge, request: VerificationRequest): DeliveryVerification {
  const { authMode } = request
  if (!webhooks.authModes.includes(authMode)) {
    const others = webhooks.authModes.map((mode) => `"${mode}"`).join(' or ')
    return { verification: { outcome: 'mismatch', detail: `${title} has no auth mode "${authMode}"; use ${others}.` } }
  }
  const verification = webhooks.verify(request)
  if (verification.outcome !== 'verified') return { verification }
  const { headers, rawBody } = request
  // Some providers name it in the body, which is read where the rest of it is.
  return { verification, reading: webhooks.read(headers, rawBody), deliveryId: webhooks.deliveryId(headers, rawBody) }
}
