import type { VerificationRequest } from './port.ts'

// What the two threads say to each other: a structured clone of it, but for the body, which is given away.

/** A delivery for the second thread, which says what came of each in the order that they were handed over. */
export interface DeliveryToVerify extends Pick<VerificationRequest, 'headers' | 'authMode' | 'receivedAt'> {
  readonly forge: string
  readonly rawBody: Uint8Array<ArrayBuffer>
  readonly secrets: readonly Uint8Array[]
}
