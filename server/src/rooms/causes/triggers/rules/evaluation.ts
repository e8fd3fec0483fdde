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

/** What may be spent on evaluations: of one event, or of all that one request asks for. */
export function createMeans(): Pick<Evaluation, 'budget' | 'effort'> {
  return { budget: createBudget(TEAM_STEPS), effort: { left: TEAM_PLACES } }
}

/** Evaluations of one event, by the team whose triggers they are for. */
export function evaluationsOf(event: unknown): (teamPath: string) => Evaluation {
  const known = new Map<string, Evaluation>()
  const bind = binding(event)
  return (teamPath) => {
    const made = known.get(teamPath) ?? { event: bind, ...createMeans() }
    known.set(teamPath, made)
    return made
  }
}

/** The evaluation of one event at the expense of what several share. */
export function evaluationWith(event: unknown, means: Pick<Evaluation, 'budget' | 'effort'>): Evaluation {
  return { event: binding(event), ...means }
}

function binding(event: unknown): () => BoundValue {
  let bound: BoundValue | undefined
  return () => {
    bound ??= bindValue(event)
    return bound
  }
}
