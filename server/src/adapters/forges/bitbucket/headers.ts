import type { WebhookHeaders } from '../port.ts'
import { singleHeader } from '../single-header.ts'

const DELIVERY_ID = 'x-request-uuid'
const EVENT_TYPE = 'x-event-key'

/** The headers that are read of a delivery. */
export const DECISIVE_HEADERS = [DELIVERY_ID, EVENT_TYPE] as const

/** X-Request-UUID. X-Attempt-Number, which counts the up to three attempts, tells nothing that could be used. */
export function deliveryId(headers: WebhookHeaders): string | null {
  return singleHeader(headers, DELIVERY_ID, /^[\x21-\x7e]{1,200}$/)
}

/** X-Event-Key, such as `repo:push` or `pullrequest:created`. */
export function eventType(headers: WebhookHeaders): string | null {
  return singleHeader(headers, EVENT_TYPE, /^[a-z0-9_:-]{1,100}$/)
}
