import { compileCondition, type Expression, type ExpressionProblem } from '@signalbox/pipeline/expressions'
import type { JudgedAt } from './item.ts'

/** The names that a rule may use. */
export const RULE_NAMES = ['run', 'step', 'task', 'environment', 'now'] as const

const PLACES: readonly JudgedAt[] = ['run', 'step', 'task']

export type RuleCompilation =
  | { readonly ok: true; readonly rule: CompiledRule }
  | { readonly ok: false; readonly problems: readonly ExpressionProblem[] }

export interface CompiledRule {
  readonly expression: Expression
  /** The first place at which all of its names are known. */
  readonly knownFrom: JudgedAt
  /** Where it is judged. */
  readonly places: readonly JudgedAt[]
}

/** Never throws. With `at` the rule is judged at that place alone. */
export function compileRule(text: string, at: JudgedAt | null): RuleCompilation {
  const compiled = compileCondition(text, { identifiers: RULE_NAMES })
  if (!compiled.ok) return compiled
  const { expression } = compiled
  const knownFrom = findKnownFrom(expression)
  const places = at === null ? PLACES.slice(PLACES.indexOf(knownFrom)) : [at]
  return { ok: true, rule: { expression, knownFrom, places } }
}

/** Whether all names of a rule are known at the place. */
export function isKnownAt(rule: CompiledRule, at: JudgedAt): boolean {
  return PLACES.indexOf(at) >= PLACES.indexOf(rule.knownFrom)
}

function findKnownFrom({ references }: Expression): JudgedAt {
  const names = new Set(references.map(([root]) => root))
  if (names.has('task')) return 'task'
  return names.has('step') ? 'step' : 'run'
}
