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
const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-gitlab-token',
  'webhook-signature',
  'x-gitea-signature',
  'x-gogs-signature',
  'x-forgejo-signature',
])
/** Whether it came decides which id of a generic delivery counts. */
const SIGNED_ID = 'webhook-signature'
const SIGNATURE_PREFIX = 'x-hub-signature'

/** Headers as they are kept with a payload, less credentials. */
export function keepHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value === undefined) continue
    if (name === SIGNED_ID) kept[name] = '(removed)'
    if (CREDENTIALS.has(name) || name.startsWith(SIGNATURE_PREFIX)) continue
    kept[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return kept
}

/** Headers that decide something; who sends one of them twice hopes that two readers choose differently. */
const DECISIVE =
  /^(?:x-(?:hub|github|gitlab|gitea|gogs|forgejo|event|request)-|webhook-|authorization$|content-type$|content-encoding$)/

/**
 * The first decisive header that came twice. `rawHeaders` are names and values in turn, as they came; `headers` the same
 * by their names, so that there are as many of them where none came twice.
 */
export function findRepeatedHeader(
  rawHeaders: readonly string[],
  headers: Readonly<Record<string, unknown>>,
): string | undefined {
  if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined
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
