import { createBudget } from '@signalbox/pipeline/expressions'
import { bindPlace } from './bindings.ts'
import type { ItemPlace, RuleContent } from './item.ts'
import { prepareItem } from './judge-rule.ts'
import { type JudgedPlace, type JudgedRun, scopesOf } from './judged.ts'
import { ScopeIndex } from './scope-index.ts'
import { TEAM_STEPS } from './snapshot.ts'

export interface Trial {
  /** The pattern matches the scope of the place. */
  readonly applies: boolean
  /** The rule is judged at this place. */
  readonly judged: boolean
  readonly violation: string | null
  /** What the evaluation cost, in steps. */
  readonly steps: number
}

/** Asks one item alone about many places, as a snapshot would; never throws. */
export type ItemTrial = (run: JudgedRun, place: JudgedPlace, now: Date) => Trial

const NOT_ASKED = { judged: false, violation: null, steps: 0 }

/** The rule is compiled once, however many places it is asked about. */
export function trialOf(item: ItemPlace & RuleContent & { readonly id: string }): ItemTrial {
  const index = new ScopeIndex([item])
  const ready = prepareItem(item)
  return (run, place, now) => {
    const applies = index.find(...scopesOf(run, place)).length > 0
    if (!applies || !ready.places.includes(place.at)) return { applies, ...NOT_ASKED }
    const budget = createBudget(TEAM_STEPS)
    const violation = ready.judge(bindPlace(run, place, ready.names), now, budget) ?? null
    return { applies, judged: true, violation, steps: budget.steps - budget.left }
  }
}
