import type { EventTrace, TriggerTrace } from '@signalbox/contracts/events'
import type { DeliveryTrace } from '@signalbox/contracts/sources'
import type { Delivery } from './delivery.ts'

/** What a later decision says of one event of a delivery. */
export interface Decision {
  readonly trace: EventTrace
  /** Ids of the triggers whose trace stands in for the earlier one. */
  readonly decided: ReadonlySet<string>
  readonly runIds: readonly string[]
}

/** The record of a delivery with what its repository decided. */
export function completeOutcome(
  before: { readonly trace: DeliveryTrace; readonly runIds: readonly string[] },
  decision: Decision,
): Pick<Delivery, 'result' | 'reason' | 'runIds' | 'trace'> {
  const events = before.trace.events.map((event) =>
    event.event_id === decision.trace.event_id ? mergeTraces(event, decision) : event,
  )
  const runIds = [...before.runIds, ...decision.runIds]
  const trace = { ...before.trace, events }
  return { runIds, trace, ...explain(events, runIds.length) }
}

function mergeTraces(before: EventTrace, { trace, decided }: Decision): EventTrace {
  const kept = before.triggers.filter(({ trigger_id: id }) => id === null || !decided.has(id))
  return {
    ...before,
    layer: higher(before.layer, trace.layer),
    manifest: trace.manifest ?? before.manifest,
    triggers: [...kept, ...trace.triggers],
  }
}

const RANKS: readonly (TriggerTrace['layer'] | null)[] = ['override', 'repository_manifest', 'service_trigger', null]

function higher(one: EventTrace['layer'], other: EventTrace['layer']): EventTrace['layer'] {
  return RANKS.indexOf(one) <= RANKS.indexOf(other) ? one : other
}

function explain(events: readonly EventTrace[], runs: number): Pick<Delivery, 'result' | 'reason'> {
  const waiting = events.some(({ manifest }) => manifest?.state === 'pending')
  const notes = events.flatMap(({ manifest }) => (manifest?.reason ? [manifest.reason] : []))
  if (waiting) notes.push('The repository is being read; see the trace.')
  const triggers = events.flatMap((event) => event.triggers)
  const canceled = triggers.some(({ outcome }) => outcome === 'canceled_runs')
  if (runs > 0) {
    const queued = runs === 1 ? '1 run was queued.' : `${runs} runs were queued.`
    return { result: 'accepted', reason: [queued, ...notes].join(' ') }
  }
  if (canceled || waiting) return { result: 'accepted', reason: ['Nothing new was started.', ...notes].join(' ') }
  if (triggers.some(({ outcome }) => outcome === 'duplicate')) {
    return {
      result: 'duplicate',
      reason: 'Another delivery told of the same change and started its runs; see the trace.',
    }
  }
  const nothing = triggers.some(({ outcome }) => outcome === 'refused')
    ? 'What matched may not start; see the trace.'
    : 'Neither the manifest of the repository nor a trigger matched; see the trace.'
  return { result: 'ignored', reason: notes.length > 0 ? notes.join(' ') : nothing }
}
