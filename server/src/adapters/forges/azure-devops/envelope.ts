import { readJsonBody } from '../json-body.ts'
import type { JsonObject } from '../json-object.ts'
import { id, name } from '../payload-fields.ts'
import type { WebhookHeaders } from '../port.ts'

/** Azure DevOps names a delivery in its body only; this is what the subscription's wizard has for a "Test" of its own. */
const NO_SUBSCRIPTION = '00000000-0000-0000-0000-000000000000'

const PRINTABLE = /^[\x21-\x7e]{1,200}$/

/** The event's id, the same in each of the up to nine tries, and for every subscription that the event is sent to. */
export function deliveryId(headers: WebhookHeaders, rawBody: Buffer): string | null {
  const body = readJsonBody(headers, rawBody)
  return body.ok ? readDeliveryId(body.payload) : null
}

/** `eventType`, such as `git.push`. */
export function eventType(headers: WebhookHeaders, rawBody: Buffer): string | null {
  const body = readJsonBody(headers, rawBody)
  return body.ok ? readEventType(body.payload) : null
}

export function readDeliveryId(payload: JsonObject): string | null {
  const event = id(payload, 'id')
  if (event !== null) return PRINTABLE.test(event) ? event : null
  const notification = id(payload, 'notificationId')
  const found = `${name(payload, 'subscriptionId')}/${notification}`
  return notification !== null && name(payload, 'subscriptionId') !== null && PRINTABLE.test(found) ? found : null
}

export function readEventType(payload: JsonObject): string | null {
  const type = name(payload, 'eventType')
  return type !== null && /^[A-Za-z0-9._-]{1,100}$/.test(type) ? type : null
}

/** Whether it is the sample that "Test" sends: of an organisation that nobody has, without a subscription. */
export function isTest(payload: JsonObject): boolean {
  return payload['subscriptionId'] === NO_SUBSCRIPTION
}
