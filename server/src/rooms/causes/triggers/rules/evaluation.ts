import { type BoundValue, type Budget, bindValue, createBudget } from '@signalbox/pipeline/expressions'

/** What the expressions of a trigger are evaluated with. */
export interface Evaluation {
  /** The event, made ready once and only if some trigger has an expression. */
  readonly event: () => BoundValue
  /** What the triggers of one team may cost together for one event: nobody can hold up the others. */
  readonly budget: Budget
}

/** Steps, see `expressionLimits.cost`: some tenths of a second at worst. */
const TEAM_STEPS = 500_000

/** Evaluations of one event, by the team whose triggers they are for. */
export function evaluationsOf(event: unknown): (teamPath: string) => Evaluation {
  let bound: BoundValue | undefined
  const budgets = new Map<string, Budget>()
  return (teamPath) => {
    const budget = budgets.get(teamPath) ?? createBudget(TEAM_STEPS)
    budgets.set(teamPath, budget)
    return {
      budget,
      event() {
        bound ??= bindValue(event)
        return bound
      },
    }
  }
}
