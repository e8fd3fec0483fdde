import { type Budget, type Expression, evaluateCondition } from '@signalbox/pipeline/expressions'
import { bindTime, type RuleBindings } from './bindings.ts'
import { compileRule } from './compile-rule.ts'
import { type ItemPlace, identifierOf, type JudgedAt, type RuleContent } from './item.ts'
import { type LocalTime, localTimeIn } from './local-time.ts'

/** An item whose rule is ready for many judgements. */
export interface ReadyItem {
  /** Where the rule is judged; empty: a reference. */
  readonly places: readonly JudgedAt[]
  /** The names that the rule uses, of run, step, task, environment and now. */
  readonly names: ReadonlySet<string>
  /** Undefined: the rule holds. Otherwise the sentence with which a run fails. */
  judge(bindings: RuleBindings, at: Date, budget: Budget): string | undefined
}

const EVERYWHERE: readonly JudgedAt[] = ['run', 'step', 'task']
const NOTHING: ReadonlySet<string> = new Set()

/**
 * Never throws, and fails closed. A rule that cannot be read, or whose time zone is unknown, is violated wherever it
 * applies. A rule whose evaluation ends in an error is violated there.
 */
export function prepareItem(item: ItemPlace & RuleContent): ReadyItem {
  if (item.kind === 'reference') return { places: [], names: NOTHING, judge: () => undefined }
  const compiled = compileRule(item.rule ?? '', item.judgedAt)
  if (!compiled.ok) return broken(item, compiled.problems[0]?.message ?? 'it cannot be read')
  const timeOf = localTimeIn(item.timeZone)
  if (!timeOf) return broken(item, `there is no time zone ${item.timeZone}`)
  const { places, expression } = compiled.rule
  const names = new Set(expression.references.flatMap(([root]) => root ?? []))
  return { places, names, judge: judging(item, expression, names.has('now') ? timeOf : undefined) }
}

function judging(item: ItemPlace & RuleContent, expression: Expression, timeOf: ((at: Date) => LocalTime) | undefined) {
  return (bindings: RuleBindings, at: Date, budget: Budget): string | undefined => {
    const bound = timeOf ? bindTime(bindings, timeOf(at)) : bindings
    const result = evaluateCondition(expression, bound, budget)
    if (!result.ok) return unjudgeable(item, result.message)
    return result.value ? undefined : asSentence(`The ${nameOf(item)} is violated: ${item.message ?? expression.text}`)
  }
}

function broken(item: ItemPlace, problem: string): ReadyItem {
  return { places: EVERYWHERE, names: NOTHING, judge: () => unjudgeable(item, problem) }
}

function unjudgeable(item: ItemPlace, problem: string): string {
  return asSentence(`The ${nameOf(item)} cannot be judged, so nothing begins: ${problem}`)
}

export function nameOf(item: ItemPlace): string {
  return `${item.kind} ${identifierOf(item)}`
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
