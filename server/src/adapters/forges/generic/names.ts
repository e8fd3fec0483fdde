import { readJsonBody } from '../json-body.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { name } from '../payload-fields.ts'
import type { WebhookHeaders } from '../port.ts'
import { singleHeader } from '../single-header.ts'
import { SIGNATURE_HEADER } from '../standard-webhooks.ts'

/** The headers that are read of a delivery. */
export const DECISIVE_HEADERS = ['webhook-id', SIGNATURE_HEADER, 'idempotency-key'] as const

const ID = /^[\x21-\x7e]{1,200}$/

/**
 * `webhook-id` where a signature covers it. A bare body's signature covers no header, so the event's own `delivery_id`
 * goes first. Nobody can then make a new delivery of an old one by another header.
 */
export function deliveryId(headers: WebhookHeaders, rawBody: Buffer): string | null {
  const id = singleHeader(headers, 'webhook-id', ID)
  if (headers[SIGNATURE_HEADER] !== undefined) return id
  const own = name(findEvent(payloadOf(headers, rawBody)) ?? {}, 'delivery_id')
  return (own !== null && ID.test(own) ? own : null) ?? id ?? singleHeader(headers, 'idempotency-key', ID)
}

/** The `type` of the envelope, else the event's `kind`. */
export function eventType(headers: WebhookHeaders, rawBody: Buffer): string | null {
  return typeOf(payloadOf(headers, rawBody))
}

export function typeOf(payload: JsonObject): string | null {
  const type = name(payload, 'kind') ?? name(payload, 'type')
  return type !== null && /^[A-Za-z0-9_.:/-]{1,100}$/.test(type) ? type : null
}

/** The event: the body itself, or the `data` of Standard Webhooks' envelope; undefined where it is neither. */
export function findEvent(payload: JsonObject): JsonObject | undefined {
  if ('kind' in payload) return payload
  const { data } = payload
  return isObject(data) && 'kind' in data ? data : undefined
}

function payloadOf(headers: WebhookHeaders, rawBody: Buffer): JsonObject {
  const body = readJsonBody(headers, rawBody)
  return body.ok ? body.payload : {}
}
