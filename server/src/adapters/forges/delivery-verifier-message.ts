import type { VerificationRequest } from './port.ts'

// The messages between the two threads. Each is a structured clone, but the body is transferred.

/** A delivery for the second thread, which answers deliveries in the order in which it got them. */
export interface DeliveryToVerify extends Pick<VerificationRequest, 'headers' | 'authMode' | 'receivedAt'> {
  readonly forge: string
  readonly rawBody: Uint8Array<ArrayBuffer>
  readonly secrets: readonly Uint8Array[]
}
