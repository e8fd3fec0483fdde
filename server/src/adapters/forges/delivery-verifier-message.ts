import type { VerificationRequest } from './port.ts'

// The messages between the two threads. Each is a structured clone, but the body is transferred.

/** A delivery for the second thread, which says what came of each in the order that they were handed over. */
export interface DeliveryToVerify extends Pick<VerificationRequest, 'headers' | 'authMode' | 'receivedAt'> {
  readonly forge: string
  readonly rawBody: Uint8Array<ArrayBuffer>
  readonly secrets: readonly Uint8Array[]
}
