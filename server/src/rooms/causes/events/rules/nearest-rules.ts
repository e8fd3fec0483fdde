import { CONDITIONS, type TriggerTrace } from '@signalbox/contracts/events'

/**
 * A rule's distance from a start: a rule that fails at a later condition was nearer. Every condition before the last
 * ones is looked at, so that a rule that is only switched off counts as very near.
 */
function distanceOf({ layer, matched, conditions }: TriggerTrace): number {
  // An override says what becomes of all the others.
  if (matched || layer === 'override') return 0
  const failed = conditions.find(({ passed, condition }) => passed === false && condition !== 'enabled')
  return failed ? CONDITIONS.length + 1 - CONDITIONS.indexOf(failed.condition) : 1
}

export interface NearestRules {
  /** The nearest first; equal ones as they were. */
  readonly shown: readonly TriggerTrace[]
  /** Undefined: all are shown. */
  readonly note: string | undefined
}

/**
 * The rules that a trace shows, at most `limit`. Rules that matched always come first. Each team gets its nearest rules
 * before any team gets more, because a reader may see the rules of some teams only.
 */
export function findNearestRules(traces: readonly TriggerTrace[], limit: number): NearestRules {
  if (traces.length < 2) return { shown: traces, note: undefined }
  const byDistance = traces
    .map((trace) => ({ trace, distance: distanceOf(trace) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ trace }) => trace)
  if (traces.length <= limit) return { shown: byDistance, note: undefined }
  const matched = byDistance.filter((trace) => trace.matched)
  const others = Map.groupBy(
    byDistance.filter((trace) => !trace.matched),
    (trace) => trace.team_path,
  )
  const turns = [...others.values()].flatMap((rules) => rules.map((rule, turn) => ({ rule, turn })))
  const fair = turns.sort((a, b) => a.turn - b.turn).map(({ rule }) => rule)
  const chosen = new Set([...matched, ...fair].slice(0, limit))
  const left = byDistance.filter((trace) => !chosen.has(trace))
  return { shown: byDistance.filter((trace) => chosen.has(trace)), note: describeLeft(traces.length, left) }
}

/** By the condition that decided, the most frequent first; no names, because not every reader may know them. */
function describeLeft(considered: number, left: readonly TriggerTrace[]): string {
  const reasons = Map.groupBy(left, ({ first_failed: failed }) => failed ?? 'none')
  const counts = [...reasons]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([failed, rules]) => (failed === 'none' ? `${rules.length} matched` : `${rules.length} fail at ${failed}`))
  return `${considered} rules were considered, and the ${left.length} that were farthest from a start are left out: ${counts.join(', ')}.`
}
