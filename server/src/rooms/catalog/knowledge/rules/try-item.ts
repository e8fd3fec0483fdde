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
}

/** The verdict of one item alone, as a snapshot would give it. */
export function tryItem(
  item: ItemPlace & RuleContent & { readonly id: string },
  run: JudgedRun,
  place: JudgedPlace,
  now: Date,
): Trial {
  const applies = new ScopeIndex([item]).find(...scopesOf(run, place)).length > 0
  const ready = prepareItem(item)
  const judged = applies && ready.places.includes(place.at)
  if (!judged) return { applies, judged, violation: null }
  return {
    applies,
    judged,
    violation: ready.judge(bindPlace(run, place, ready.names), now, createBudget(TEAM_STEPS)) ?? null,
  }
}
