import type { WebhookHeaders } from '../port.ts'
import { singleHeader } from '../single-header.ts'

/**
 * `webhook-id` (GitLab 19) and `Idempotency-Key` (17.4) are one id, the same when GitLab sends the delivery again. A
 * signature covers only the first, which therefore goes first. Older ones send `X-Gitlab-Webhook-UUID`, new each time.
 * `X-Gitlab-Event-UUID` is none: two pushes of one request share it.
 */
const DELIVERY_IDS = ['webhook-id', 'idempotency-key', 'x-gitlab-webhook-uuid'] as const
const HOOK_NAME = 'x-gitlab-event'

/** The headers that are read of a delivery. */
export const DECISIVE_HEADERS = [...DELIVERY_IDS, HOOK_NAME] as const

export function deliveryId(headers: WebhookHeaders): string | null {
  for (const key of DELIVERY_IDS) {
    if (headers[key] !== undefined) return singleHeader(headers, key, /^[\x21-\x7e]{1,200}$/)
  }
  return null
}

/** X-Gitlab-Event, such as `Push Hook`; of a system hook always `System Hook`, whatever happened. */
export function hookName(headers: WebhookHeaders): string | null {
  return singleHeader(headers, HOOK_NAME, /^[A-Za-z][A-Za-z ]{0,98}$/)
}
