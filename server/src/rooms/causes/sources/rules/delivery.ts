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

/** Where in a block of payloads the headers begin; the payload lies behind them. */
export interface PayloadPlace {
  readonly blockId: string
  readonly offset: number
  readonly headersBytes: number
}

/** Headers that prove who sends: they are never stored. */
const CREDENTIALS =
  /^(?:authorization|proxy-authorization|cookie|x-hub-signature.*|x-gitlab-token|webhook-signature|x-(?:gitea|gogs|forgejo)-signature)$/

/** Headers as they are kept with a payload, less credentials. */
export function keepHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const kept: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || CREDENTIALS.test(name)) continue
    kept.push([name, typeof value === 'string' ? value : value.join(', ')])
  }
  return Object.fromEntries(kept)
}

/** Headers that decide something; who sends one of them twice hopes that two readers choose differently. */
const DECISIVE =
  /^(?:x-(?:hub|github|gitlab|gitea|gogs|forgejo|event|request)-|webhook-|authorization$|content-type$|content-encoding$)/

/** The first decisive header that came twice. `rawHeaders` are names and values in turn, as they came. */
export function findRepeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!DECISIVE.test(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}

export const FORM_ENCODED =
  'The delivery is form-encoded; set the content type of the webhook to application/json at the provider.'

export function isFormEncoded(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  const contentType = headers['content-type']
  return typeof contentType === 'string' && /^\s*application\/x-www-form-urlencoded\b/i.test(contentType)
}
