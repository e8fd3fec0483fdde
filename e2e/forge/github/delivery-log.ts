import type { Fields } from '../fields.ts'
import type { Delivery, Hook } from '../webhooks/mailbox.ts'
import type { World } from './world.ts'

/** How long GitHub keeps its log. */
const KEPT_MS = 3 * 24 * 3_600_000

/** Newest first, as the log shows them; `status` of the query is success or failure. */
export function filterDeliveries(world: World, hook: Hook, query: URLSearchParams): readonly Delivery[] {
  const status = query.get('status')
  const oldest = world.clock.now() - KEPT_MS
  return world.mailbox.deliveries
    .filter((delivery) => delivery.letter.hook === hook && Date.parse(delivery.deliveredAt) >= oldest)
    .filter((delivery) => status === null || (status === 'success') === isWell(delivery))
    .toReversed()
}

export function findDelivery(world: World, hook: Hook, id: string | undefined): Delivery | undefined {
  return world.mailbox.deliveries.find((delivery) => delivery.letter.hook === hook && String(delivery.id) === id)
}

export function describeDelivery(delivery: Delivery): Fields {
  const { id, guid, deliveredAt, redelivery, durationS, letter } = delivery
  return {
    id,
    guid,
    delivered_at: deliveredAt,
    redelivery,
    duration: durationS,
    status: isWell(delivery) ? 'OK' : delivery.status,
    status_code: delivery.statusCode,
    event: letter.event,
    action: letter.action,
    installation_id: letter.installationId,
    repository_id: letter.repositoryId,
    throttled_at: null,
  }
}

export function describeDeliveryFully(delivery: Delivery): Fields {
  const { letter, requestHeaders, responseHeaders, responseBody } = delivery
  return {
    ...describeDelivery(delivery),
    url: letter.hook.url,
    request: { headers: requestHeaders, payload: letter.payload },
    response: { headers: responseHeaders, payload: responseBody },
  }
}

function isWell({ statusCode }: Delivery): boolean {
  return statusCode >= 200 && statusCode < 400
}
