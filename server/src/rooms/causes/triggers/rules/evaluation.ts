import { type BoundValue, type Budget, bindValue, createBudget } from '@signalbox/pipeline/expressions'
import type { Effort } from '@signalbox/pipeline/patterns'

/** What the patterns and expressions of a trigger are held against an event with. */
export interface Evaluation {
  /** The event, made ready once and only if some trigger has an expression. */
  readonly event: () => BoundValue
  /** What the triggers of one team may cost together for one event: nobody can hold up the others. */
  readonly budget: Budget
  /** The same for patterns. */
  readonly effort: Effort
}

/** Steps, see `expressionLimits.cost`: some tenths of a second at worst. */
const TEAM_STEPS = 500_000

/** Places of patterns times characters: about as long. Twenty thousand paths are held against a few patterns many times over. */
const TEAM_PLACES = 20_000_000

/** Evaluations of one event, by the team whose triggers they are for. */
export function evaluationsOf(event: unknown): (teamPath: string) => Evaluation {
  let bound: BoundValue | undefined
  const means = new Map<string, Evaluation>()
  const bind = (): BoundValue => {
    bound ??= bindValue(event)
    return bound
  }
  return (teamPath) => {
    const known = means.get(teamPath)
    if (known) return known
    const made = { event: bind, budget: createBudget(TEAM_STEPS), effort: { left: TEAM_PLACES } }
    means.set(teamPath, made)
    return made
  }
}
