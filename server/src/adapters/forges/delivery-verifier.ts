import type { Log } from '#platform/log'
import { createSecondThread, openThread, type Thread } from '#platform/threads'
import type { Clock } from '#platform/time'
import type { DeliveryToVerify } from './delivery-verifier-message.ts'
import type { Forge, VerificationRequest } from './port.ts'
import { type DeliveryVerification, verifyDelivery } from './verify-delivery.ts'

export interface DeliveryVerifier {
  /** Throws, or rejects, only where a forge throws, which none does. */
  verifyDelivery(forge: Forge, request: VerificationRequest): DeliveryVerification | Promise<DeliveryVerification>
}

/** The second thread, as far as it is used here. */
export type VerifierThread = Thread<DeliveryToVerify, DeliveryVerification>

/**
 * The work takes some 3 ms, and half a second for 25 MB; meanwhile this thread could answer nobody. Smaller ones are
 * verified sooner than they are handed over and back, however many they are.
 */
export const LARGE_BYTES = 256 * 1024

/** Verifies large deliveries in a second thread, all others here. */
export function createDeliveryVerifier(
  kit: { readonly clock: Clock; readonly log: Log },
  open: () => VerifierThread = openVerifierThread,
): DeliveryVerifier {
  const second = createSecondThread(kit, {
    what: 'verifies large deliveries',
    here: ({ forge, request }: { readonly forge: Forge; readonly request: VerificationRequest }) =>
      verifyDelivery(forge, request),
    toMessage: ({ forge, request }) => toMessage(forge, request),
    open,
  })
  return {
    verifyDelivery: (forge, request) =>
      request.rawBody.length >= LARGE_BYTES ? second.ask({ forge, request }) : verifyDelivery(forge, request),
  }
}

/** The body is copied once: this thread stores it too, and gives away the copy as it is. */
function toMessage(
  forge: Forge,
  { headers, authMode, receivedAt, rawBody, secrets }: VerificationRequest,
): { readonly message: DeliveryToVerify; readonly transfer: readonly [ArrayBuffer] } {
  const body = new Uint8Array(rawBody)
  const message = {
    forge: forge.id,
    headers,
    authMode,
    receivedAt,
    rawBody: body,
    secrets: secrets.map((secret) => new Uint8Array(secret)),
  }
  return { message, transfer: [body.buffer] }
}

export function openVerifierThread(): VerifierThread {
  return openThread(new URL('./delivery-verifier-thread.ts', import.meta.url))
}
