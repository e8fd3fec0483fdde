import type { WebhookHeaders } from '../port.ts'
import { singleHeader } from '../single-header.ts'

const DELIVERY_ID = 'x-github-delivery'
const EVENT_TYPE = 'x-github-event'

/** The headers that are read of a delivery. */
export const DECISIVE_HEADERS = [DELIVERY_ID, EVENT_TYPE] as const

/** The GUID of X-GitHub-Delivery: the same when GitHub sends the delivery again. */
export function deliveryId(headers: WebhookHeaders): string | null {
  return singleHeader(headers, DELIVERY_ID, /^[\x21-\x7e]{1,200}$/)
}

/** X-GitHub-Event, such as `push` or `pull_request`. */
export function eventType(headers: WebhookHeaders): string | null {
  return singleHeader(headers, EVENT_TYPE, /^[a-z0-9_]{1,100}$/)
}
