import type { VerificationRequest } from './port.ts'

/** Deliveries for the second thread. Their parts that are large, or the same for many, are beside them. */
export interface Batch {
  readonly deliveries: readonly DeliveryToExamine[]
  /** The bodies, one behind the other, in the order of the deliveries. */
  readonly bodies: Uint8Array<ArrayBuffer>
  /** Those of all sources. */
  readonly secrets: readonly Uint8Array[]
}

export interface DeliveryToExamine extends Pick<VerificationRequest, 'headers' | 'authMode' | 'receivedAt'> {
  readonly forge: string
  readonly bodyBytes: number
  /** Places in the batch's `secrets`. */
  readonly secrets: readonly number[]
}

/** `ready` once; then for each batch an `Examined` as JSON for each delivery, null where that failed. */
export type FromThread = 'ready' | readonly (string | null)[]
