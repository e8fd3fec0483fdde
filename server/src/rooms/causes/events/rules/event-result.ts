import type { EventResult, TriggerTrace } from '@signalbox/contracts/events'

const EFFECTS: ReadonlySet<TriggerTrace['outcome']> = new Set(['started', 'held', 'canceled_runs'])

export type SettledResult = Exclude<EventResult, 'pending'>

/**
 * The result of an event as a whole: the best result among its rules. `effects` counts runs that start or are canceled,
 * also where no rule says so because the event named its pipeline.
 */
export function settledResult(triggers: readonly TriggerTrace[], effects = 0): SettledResult {
  const outcomes = new Set(triggers.map(({ outcome }) => outcome))
  if (effects > 0 || !outcomes.isDisjointFrom(EFFECTS)) return 'accepted'
  if (outcomes.has('duplicate')) return 'duplicate'
  return outcomes.has('refused') ? 'refused' : 'ignored'
}
