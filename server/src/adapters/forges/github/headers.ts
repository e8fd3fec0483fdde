import type { WebhookHeaders } from '../port.ts'
import { singleHeader } from '../single-header.ts'

/** The GUID of X-GitHub-Delivery: the same when GitHub sends the delivery again. */
export function deliveryId(headers: WebhookHeaders): string | null {
  return singleHeader(headers, 'x-github-delivery', /^[\x21-\x7e]{1,200}$/)
}

/** X-GitHub-Event, such as `push` or `pull_request`. */
export function eventType(headers: WebhookHeaders): string | null {
  return singleHeader(headers, 'x-github-event', /^[a-z0-9_]{1,100}$/)
}
