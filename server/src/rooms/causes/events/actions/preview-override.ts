import type { EventTrace } from '@signalbox/contracts/events'
import type { OverridePreview } from '@signalbox/contracts/overrides'
import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import type { WantedOverride } from '#rooms/causes/overrides'
import type { EventMeans } from '../index.ts'
import type { PlanRequest } from './plan-event.ts'
import { planOverride } from './plan-override.ts'

const DELIVERIES = 50

type PreviewedRun = OverridePreview['changes'][number]['before'][number]

const SILENT = { evaluated: () => undefined }

/**
 * The latest deliveries of a repository that would have started something else with the override. Nothing is stored. It shows
 * only deliveries that the caller may see (delivery.read), and refuses what a PUT of the override would refuse.
 */
export async function previewOverride(
  kit: Kit,
  needs: EventMeans,
  caller: Caller,
  wanted: WantedOverride,
): Promise<OverridePreview> {
  const { override: candidate, standing } = await needs.overrides.draft(caller, wanted)
  const repository = `${wanted.repoOwner}/${wanted.repoName}`.toLowerCase()
  const deliveries = await needs.above.readDeliveries(caller, {
    repositories: (name) => name.toLowerCase() === repository,
    limit: DELIVERIES,
  })
  const matcher = await needs.triggers.matcher()
  const finder = async () => ({ list: () => [candidate], listLive: () => [candidate] })
  const means = { ...needs, metrics: SILENT, overrides: { ...needs.overrides, finder } }
  const changes: OverridePreview['changes'] = []
  for (const { decided, event, context, deliveryRecordId, receivedAt, eventType } of deliveries) {
    // Of what came above the rate of its source nothing was decided, and nothing would have been.
    if (decided === null) continue
    const before = await readStarted(kit, needs, decided)
    const after = await planCandidate(kit, means, {
      // As it was understood then: what "updated" meant is told by the head that was seen before.
      event: { ...event, action: decided.action },
      matcher,
      context,
      poster: null,
      deliveryRecordId,
      replayOf: deliveryRecordId,
      readsRepository: false,
      headUnasked: null,
      checkoutCredentialRef: null,
      receivedAt: kit.clock.now(),
    })
    if (after === undefined || areSame(before, after)) continue
    changes.push({
      delivery_id: deliveryRecordId,
      received_at: toWireTime(receivedAt),
      event_type: eventType,
      kind: event.kind,
      ref: event.ref,
      before,
      after,
    })
  }
  const { inEffect, reason } = standing
  return {
    in_effect: inEffect,
    not_in_effect_because: reason,
    deliveries_considered: deliveries.length,
    changes,
  }
}

/** What the delivery really started, its manifest's runs included. */
async function readStarted(kit: Kit, needs: EventMeans, { triggers }: EventTrace): Promise<PreviewedRun[]> {
  const started: PreviewedRun[] = []
  for (const { layer, run_id: runId } of triggers) {
    const run = runId === null ? undefined : await needs.runs.findStanding(kit.database.kysely, runId)
    if (run) started.push({ layer, pipeline: run.pipeline, scope: run.scope })
  }
  return started
}

/** Undefined where the candidate would not decide about the source's events. */
async function planCandidate(kit: Kit, needs: EventMeans, request: PlanRequest): Promise<PreviewedRun[] | undefined> {
  const override = await planOverride(kit, needs, request, kit.ids.next(), [])
  if (!override.decides) return undefined
  const { starts } = override.planned
  return starts.map(({ run }) => ({ layer: 'override', pipeline: run.pipeline.identifier, scope: run.scope }))
}

/** Whichever layers start them. */
function areSame(before: readonly PreviewedRun[], after: readonly PreviewedRun[]): boolean {
  const runs = (given: readonly PreviewedRun[]) => given.map(({ pipeline, scope }) => `${pipeline} in ${scope}`).sort()
  return runs(before).join() === runs(after).join()
}
