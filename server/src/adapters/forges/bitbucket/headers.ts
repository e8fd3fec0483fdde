import type { WebhookHeaders } from '../port.ts'
import { singleHeader } from '../single-header.ts'

/** X-Request-UUID. X-Attempt-Number, which counts the up to three attempts, tells nothing that could be used. */
export function deliveryId(headers: WebhookHeaders): string | null {
  return singleHeader(headers, 'x-request-uuid', /^[\x21-\x7e]{1,200}$/)
}

/** X-Event-Key, such as `repo:push` or `pullrequest:created`. */
export function eventType(headers: WebhookHeaders): string | null {
  return singleHeader(headers, 'x-event-key', /^[a-z0-9_:-]{1,100}$/)
}
