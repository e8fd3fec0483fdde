import type { DELIVERY_RESULTS, DeliveryTrace, VERIFICATIONS } from '@signalbox/contracts/sources'

export type DeliveryResult = (typeof DELIVERY_RESULTS)[number]
export type VerificationResult = (typeof VERIFICATIONS)[number]

/** The record of one delivery. */
export interface Delivery {
  readonly id: string
  readonly sourceId: string
  /** The provider's own id; null where it sent none. */
  readonly deliveryId: string | null
  readonly receivedAt: Date
  readonly eventType: string
  readonly action: string | null
  readonly repository: string | null
  readonly ref: string | null
  readonly commitSha: string | null
  readonly sender: string | null
  readonly result: DeliveryResult
  readonly verification: VerificationResult
  readonly statusCode: number
  readonly reason: string
  readonly runIds: readonly string[]
  readonly duplicateOf: string | null
  /** The delivery that a person had run again; its payload is this one's too. */
  readonly replayOf: string | null
  /** Whether nothing can use events of its kind. */
  readonly unusable: boolean
  readonly durationMs: number
  readonly payloadBytes: number
  readonly trace: DeliveryTrace
  /** Null: headers and payload were not kept. */
  readonly payload: PayloadPlace | null
}

/** A delivery as lists show it. */
export type ListedDelivery = Omit<Delivery, 'trace' | 'payload'>

/** Where in a block of payloads the headers begin; the payload lies behind them. */
export interface PayloadPlace {
  readonly blockId: string
  readonly offset: number
  readonly headersBytes: number
}

export const FORM_ENCODED =
  'The delivery is form-encoded; set the content type of the webhook to application/json at the provider.'

export function isFormEncoded(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  const contentType = headers['content-type']
  return typeof contentType === 'string' && /^\s*application\/x-www-form-urlencoded\b/i.test(contentType)
}
