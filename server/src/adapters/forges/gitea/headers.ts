import type { WebhookHeaders } from '../port.ts'
import { singleHeader } from '../single-header.ts'
import type { Dialect } from './dialect.ts'

const DELIVERY_ID = /^[\x21-\x7e]{1,200}$/
const EVENT_TYPE = /^[a-z0-9_]{1,100}$/

/** A UUID, such as that of X-Gitea-Delivery. */
export function deliveryId({ deliveryIds }: Dialect, headers: WebhookHeaders): string | null {
  return first(headers, deliveryIds, DELIVERY_ID)
}

/** Such as `push` or `pull_request`. */
export function eventType({ eventTypes }: Dialect, headers: WebhookHeaders): string | null {
  const keys = eventTypes.map(({ key }) => key)
  return first(headers, keys, EVENT_TYPE)
}

function first(headers: WebhookHeaders, keys: readonly string[], pattern: RegExp): string | null {
  for (const key of keys) {
    const value = singleHeader(headers, key, pattern)
    if (value !== null) return value
  }
  return null
}
