import type { EventTrace } from '@signalbox/contracts/events'
import type { DeliveryTrace } from '@signalbox/contracts/sources'
import type { Delivery } from './delivery.ts'

/** The later decision about one event of a delivery. */
export interface Decision {
  readonly eventId: string
  /** The event's trace with what was decided. */
  readonly merge: (before: EventTrace) => EventTrace
  readonly runIds: readonly string[]
}

export type CompletedOutcome = Pick<Delivery, 'result' | 'reason' | 'runIds' | 'trace'>

/** The record of a delivery with what its repository decided. */
export function completeOutcome(
  before: { readonly trace: DeliveryTrace; readonly runIds: readonly string[] },
  decision: Decision,
): CompletedOutcome {
  const events = before.trace.events.map((event) =>
    event.event_id === decision.eventId ? decision.merge(event) : event,
  )
  const runIds = [...before.runIds, ...decision.runIds]
  const trace = { ...before.trace, events }
  return { runIds, trace, ...explain(events, runIds.length) }
}

function explain(events: readonly EventTrace[], runs: number): Omit<CompletedOutcome, 'runIds' | 'trace'> {
  const waiting = events.some(({ manifest }) => manifest?.state === 'pending')
  const notes = events.flatMap(({ manifest }) => (manifest?.reason ? [manifest.reason] : []))
  if (waiting) notes.push('The repository is being read; see the trace.')
  const triggers = events.flatMap((event) => event.triggers)
  const canceled = triggers.some(({ outcome }) => outcome === 'canceled_runs')
  if (runs > 0) {
    const queued = runs === 1 ? '1 run was queued.' : `${runs} runs were queued.`
    return { result: 'accepted', reason: [queued, ...notes].join(' ') }
  }
  if (canceled || waiting) {
    const done = canceled ? 'The comment cancels runs of its pull request.' : 'Nothing new was started.'
    return { result: 'accepted', reason: [done, ...notes].join(' ') }
  }
  if (triggers.some(({ outcome }) => outcome === 'duplicate')) {
    return {
      result: 'duplicate',
      reason: 'Another delivery told of the same change and started its runs; see the trace.',
    }
  }
  const nothing = triggers.some(({ outcome }) => outcome === 'refused')
    ? 'The matching rules may not start; see the trace.'
    : 'The manifest of the repository does not match, nor does any trigger; see the trace.'
  return { result: 'ignored', reason: notes.length > 0 ? notes.join(' ') : nothing }
}
