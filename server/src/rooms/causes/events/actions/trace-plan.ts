import type { Event } from '@signalbox/contracts/event'
import { type EventTrace, LAYERS, type Layer, type ManifestTrace, type TriggerTrace } from '@signalbox/contracts/events'
import type { TriggerMatch } from '#rooms/causes/triggers'
import { findNearestRules } from '../rules/index.ts'

/** A record of a delivery must not grow without bound with the triggers of a repository. */
const MAX_TRACED = 100

export interface TracedOutcome {
  readonly outcome: TriggerTrace['outcome']
  readonly reason: string | null
  readonly runId: string | null
}

export function traceMatch(layer: Layer, match: TriggerMatch, outcome: TracedOutcome): TriggerTrace {
  return {
    layer,
    trigger_id: match.trigger.id,
    name: match.trigger.name,
    team_path: match.trigger.teamPath,
    pipeline: match.trigger.pipeline,
    matched: match.matched,
    first_failed: match.firstFailed,
    conditions: [...match.conditions],
    outcome: outcome.outcome,
    reason: outcome.reason,
    run_id: outcome.runId,
  }
}

export function traceEvent(
  eventId: string,
  event: Event,
  traces: readonly TriggerTrace[],
  manifest: ManifestTrace | null,
): EventTrace {
  const { shown, note } = findNearestRules(traces, MAX_TRACED)
  return {
    event_id: eventId,
    kind: event.kind,
    action: event.action,
    repository: event.repository.full_name,
    ref: event.ref,
    layer: highestLayer(traces),
    triggers: [...shown],
    manifest,
    ...(note === undefined ? {} : { note }),
  }
}

/** The highest layer among the rules that started something. */
export function highestLayer(traces: readonly TriggerTrace[]): Layer | null {
  const started = traces.filter(({ outcome }) => outcome === 'started' || outcome === 'held')
  return LAYERS.find((layer) => started.some((trace) => trace.layer === layer)) ?? null
}

/**
 * An event's trace with what was decided later. The later trace replaces the rules that waited and those that it
 * decides anew.
 */
export function mergeTraces(before: EventTrace, later: EventTrace): EventTrace {
  const told = new Set(later.triggers.map(ruleOf))
  const kept = before.triggers.filter((trace) => trace.outcome !== 'deferred' && !told.has(ruleOf(trace)))
  const triggers = [...kept, ...later.triggers]
  // The reading was about the commit alone.
  const manifest = before.manifest === null ? null : later.manifest
  return { ...before, layer: highestLayer(triggers), manifest, triggers }
}

function ruleOf({ layer, trigger_id: id, name, team_path: teamPath }: TriggerTrace): string {
  return JSON.stringify([layer, id, name, teamPath])
}
