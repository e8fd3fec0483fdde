import type { EventTrace } from '@signalbox/contracts/events'
import type { OverridePreview } from '@signalbox/contracts/overrides'
import type { Caller } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { WantedOverride } from '#rooms/causes/overrides'
import type { Means } from '../means.ts'
import type { PlanRequest } from './event-plan.ts'
import { planOverride } from './plan-override.ts'

const DELIVERIES = 50

type PreviewedRun = OverridePreview['changes'][number]['before'][number]

/**
 * The latest deliveries of a repository that would have started something else with the override. The preview stores
 * nothing. The preview shows only deliveries that the caller may see (delivery.read), and refuses every override that a
 * PUT would refuse.
 */
export async function previewOverride(means: Means, caller: Caller, wanted: WantedOverride): Promise<OverridePreview> {
  const { override: candidate, standing } = await means.overrides.draft(caller, wanted)
  const repository = `${wanted.repoOwner}/${wanted.repoName}`.toLowerCase()
  const deliveries = await means.above.readDeliveries(caller, {
    repositories: (name) => name.toLowerCase() === repository,
    limit: DELIVERIES,
  })
  const matcher = await means.triggers.matcher()
  const finder = async () => ({ list: () => [candidate], listLive: () => [candidate] })
  const trying = { ...means, evaluated: () => undefined, overrides: { ...means.overrides, finder } }
  const changes: OverridePreview['changes'] = []
  for (const { decided, event, context, deliveryRecordId, receivedAt, eventType } of deliveries) {
    // A delivery above the rate of its source decided nothing, and would have decided nothing.
    if (decided === null) continue
    const before = await readStarted(means, decided)
    const after = await planCandidate(trying, {
      // The event as it was understood then: the head seen before decides what "updated" meant.
      event: { ...event, action: decided.action },
      matcher,
      context,
      poster: null,
      deliveryRecordId,
      replayOf: deliveryRecordId,
      readsRepository: false,
      headUnasked: null,
      checkoutCredentialRef: null,
      receivedAt: means.clock.now(),
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

/** The runs that the delivery really started, the manifest's runs included. */
async function readStarted(means: Means, { triggers }: EventTrace): Promise<PreviewedRun[]> {
  const started: PreviewedRun[] = []
  for (const { layer, run_id: runId } of triggers) {
    const run = runId === null ? undefined : await means.runs.findStanding(means.database.kysely, runId)
    if (run) started.push({ layer, pipeline: run.pipeline, scope: run.scope })
  }
  return started
}

/** Undefined where the candidate would not decide about the source's events. */
async function planCandidate(means: Means, request: PlanRequest): Promise<PreviewedRun[] | undefined> {
  const override = await planOverride(means, request, means.ids.next(), [])
  if (!override.decides) return undefined
  const { starts } = override.planned
  return starts.map(({ run }) => ({ layer: 'override', pipeline: run.pipeline.identifier, scope: run.scope }))
}

/** Compares the runs, whichever layers start them. */
function areSame(before: readonly PreviewedRun[], after: readonly PreviewedRun[]): boolean {
  const runs = (given: readonly PreviewedRun[]) => given.map(({ pipeline, scope }) => `${pipeline} in ${scope}`).sort()
  return runs(before).join() === runs(after).join()
}
