import type { OverridePreview } from '@signalbox/contracts/overrides'
import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import type { Finder, PreviewRequest } from '#rooms/causes/overrides'
import type { DeliveryReader, Matcher, StoredDelivery } from '#rooms/causes/triggers'
import type { EventMeans } from '../index.ts'
import { planEvent } from './plan-event.ts'

const DELIVERIES = 50

type Previewed = OverridePreview['changes'][number]['before'][number]

/** The latest deliveries of a repository that would have started something else with the candidate. Nothing is stored. */
export async function previewOverride(
  kit: Kit,
  needs: EventMeans,
  readDeliveries: DeliveryReader,
  caller: Caller,
  { repository, candidate }: PreviewRequest,
): Promise<OverridePreview> {
  const wanted = repository.toLowerCase()
  const deliveries = await readDeliveries(caller, {
    repositories: (name) => name.toLowerCase() === wanted,
    limit: DELIVERIES,
  })
  const matcher = await needs.triggers.matcher()
  const today = await needs.overrides.finder()
  const changes: OverridePreview['changes'] = []
  for (const delivery of deliveries) {
    const before = await planWith(kit, needs, matcher, today, delivery)
    const after = await planWith(kit, needs, matcher, { find: () => candidate }, delivery)
    if (JSON.stringify(before) === JSON.stringify(after)) continue
    changes.push({
      delivery_id: delivery.deliveryRecordId,
      received_at: toWireTime(delivery.receivedAt),
      event_type: delivery.eventType,
      kind: delivery.event.kind,
      ref: delivery.event.ref,
      before,
      after,
    })
  }
  return { deliveries_considered: deliveries.length, changes }
}

const SILENT = { evaluated: () => undefined }

async function planWith(
  kit: Kit,
  needs: EventMeans,
  matcher: Matcher,
  finder: Finder,
  { event, context, deliveryRecordId }: StoredDelivery,
): Promise<Previewed[]> {
  const overrides = { ...needs.overrides, finder: async () => finder }
  const plan = await planEvent(
    kit,
    { ...needs, metrics: SILENT, overrides },
    {
      event,
      matcher,
      context,
      poster: null,
      deliveryRecordId,
      replayOf: deliveryRecordId,
      readsRepository: false,
      checkoutCredentialRef: null,
      receivedAt: kit.clock.now(),
    },
  )
  return plan.starts.map(({ run, starter }) => ({
    layer: starter === 'override' ? 'override' : 'service_trigger',
    pipeline: run.pipeline.identifier,
    scope: run.scope,
  }))
}
