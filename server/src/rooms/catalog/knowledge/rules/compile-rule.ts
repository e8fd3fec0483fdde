import { compileCondition, type Expression, type ExpressionProblem } from '@signalbox/pipeline/expressions'
import type { JudgedAt } from './item.ts'

/** What a rule may name. */
export const RULE_NAMES = ['run', 'step', 'task', 'environment', 'now'] as const

const PLACES: readonly JudgedAt[] = ['run', 'step', 'task']

export type RuleCompilation =
  | { readonly ok: true; readonly rule: CompiledRule }
  | { readonly ok: false; readonly problems: readonly ExpressionProblem[] }

export interface CompiledRule {
  readonly expression: Expression
  /** The first place at which all that it names is known. */
  readonly knownFrom: JudgedAt
  /** Where it is judged. */
  readonly places: readonly JudgedAt[]
}

/** Never throws. With `at` it is judged there alone. */
export function compileRule(text: string, at: JudgedAt | null): RuleCompilation {
  const compiled = compileCondition(text, { identifiers: RULE_NAMES })
  if (!compiled.ok) return compiled
  const { expression } = compiled
  const knownFrom = findKnownFrom(expression)
  const places = at === null ? PLACES.slice(PLACES.indexOf(knownFrom)) : [at]
  return { ok: true, rule: { expression, knownFrom, places } }
}

/** Whether all that a rule names is known where it is to be judged. */
export function isKnownAt(rule: CompiledRule, at: JudgedAt): boolean {
  return PLACES.indexOf(at) >= PLACES.indexOf(rule.knownFrom)
}

function findKnownFrom({ references }: Expression): JudgedAt {
  const names = new Set(references.map(([root]) => root))
  if (names.has('task')) return 'task'
  return names.has('step') ? 'step' : 'run'
}
