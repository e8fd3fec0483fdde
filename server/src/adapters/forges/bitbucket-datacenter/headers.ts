import type { WebhookHeaders } from '../port.ts'
import { singleHeader } from '../single-header.ts'

/** X-Request-Id, a new one for every request: Bitbucket Data Center sends nothing twice. */
export function deliveryId(headers: WebhookHeaders): string | null {
  return singleHeader(headers, 'x-request-id', /^[\x21-\x7e]{1,200}$/)
}

/** X-Event-Key, such as `repo:refs_changed` or `pr:opened`. */
export function eventType(headers: WebhookHeaders): string | null {
  return singleHeader(headers, 'x-event-key', /^[a-z0-9_:-]{1,100}$/)
}
