import { type Budget, createBudget } from '@signalbox/pipeline/expressions'
import { bindPlace, type RuleBindings } from './bindings.ts'
import type { ItemPlace, RuleContent } from './item.ts'
import { nameOf, prepareItem, type ReadyItem } from './judge-rule.ts'
import { type JudgedPlace, type JudgedRun, scopesFor, scopesOf, type Verdict } from './judged.ts'
import { ScopeIndex } from './scope-index.ts'

/** An item as it is kept in memory. */
export interface CopiedItem extends ItemPlace, RuleContent {
  readonly id: string
  readonly revisionId: string
}

/** An active emergency. */
export interface ActiveEmergency {
  readonly id: string
  readonly scope: string
  /** The team that the pattern lies under. */
  readonly teamPath: string
  readonly reason: string
  readonly declaredBy: string
  readonly declaredAt: Date
}

/** All items and active emergencies at one revision. Never changes; a newer copy replaces it. */
export interface KnowledgeCopy {
  /** Raised by every change of items and emergencies. */
  readonly revision: number
  judge(run: JudgedRun, place: JudgedPlace, now: Date): Verdict
  /** The oldest active emergency of a scope. */
  emergencyOn(scope: string): ActiveEmergency | undefined
  /** Ids of the items that apply in a scope: to the pipelines of a team, default those of the scope's own. */
  itemsOn(scope: string, teamPath: string | undefined): readonly string[]
}

/** How many steps (`expressionLimits.cost`) the rules of one team may take at one place: tens of milliseconds at worst. */
export const TEAM_STEPS = 50_000

export function createCopy(
  revision: number,
  items: readonly CopiedItem[],
  emergencies: readonly ActiveEmergency[],
): KnowledgeCopy {
  const index = new ScopeIndex(items)
  const alarms = new ScopeIndex(emergencies)
  const ready = new Map<CopiedItem, ReadyItem>()
  const readyOf = (item: CopiedItem): ReadyItem => {
    const known = ready.get(item) ?? prepareItem(item)
    ready.set(item, known)
    return known
  }
  return {
    revision,
    judge(run, place, now) {
      const applying = index.find(...scopesOf(run, place))
      const pins = applying.map((item) => item.revisionId)
      const judged = applying.filter((item) => readyOf(item).places.includes(place.at))
      if (judged.length === 0) return { pins, violation: null }
      const names = new Set(judged.flatMap((item) => [...readyOf(item).names]))
      return { pins, violation: findViolation(judged, readyOf, bindPlace(run, place, names), now) }
    },
    emergencyOn: (scope) =>
      alarms
        .find(scope)
        .reduce<ActiveEmergency | undefined>(
          (oldest, each) => (oldest === undefined || each.id < oldest.id ? each : oldest),
          undefined,
        ),
    itemsOn(scope, teamPath) {
      const scopes = teamPath === undefined ? [scope] : scopesFor(scope, teamPath)
      return index.find(...scopes).map((item) => item.id)
    },
  }
}

/** The first violation in full, the others by name, so that a run tells everything that has to change. */
function findViolation(
  items: readonly CopiedItem[],
  readyOf: (item: CopiedItem) => ReadyItem,
  bindings: RuleBindings,
  now: Date,
): string | null {
  const budgets = new Map<string, Budget>()
  let first: string | null = null
  const others: string[] = []
  for (const item of items) {
    const budget = budgets.get(item.teamPath) ?? createBudget(TEAM_STEPS)
    budgets.set(item.teamPath, budget)
    const violation = readyOf(item).judge(bindings, now, budget)
    if (violation === undefined) continue
    if (first === null) first = violation
    else others.push(nameOf(item))
  }
  return first !== null && others.length > 0 ? `${first} Violated as well: ${others.join(', ')}.` : first
}
