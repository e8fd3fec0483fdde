import type { WebhookHeaders } from '../port.ts'
import { singleHeader } from '../single-header.ts'

const DELIVERY_ID = 'x-request-id'
const EVENT_TYPE = 'x-event-key'

/** The headers that are read of a delivery. */
export const DECISIVE_HEADERS = [DELIVERY_ID, EVENT_TYPE] as const

/** X-Request-Id, a new one for every request: Bitbucket Data Center sends nothing twice. */
export function deliveryId(headers: WebhookHeaders): string | null {
  return singleHeader(headers, DELIVERY_ID, /^[\x21-\x7e]{1,200}$/)
}

/** X-Event-Key, such as `repo:refs_changed` or `pr:opened`. */
export function eventType(headers: WebhookHeaders): string | null {
  return singleHeader(headers, EVENT_TYPE, /^[a-z0-9_:-]{1,100}$/)
}
