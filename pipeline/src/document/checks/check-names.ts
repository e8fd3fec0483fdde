import { compileCondition, parseTextTemplate, TEMPLATE_NAMES } from '../../expressions/index.ts'
import { findUnknownName, type KnownNames, RUN_NAMES, type UnknownName } from '../../facts/index.ts'
import type { Outline, PlacedText } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'
import { CONDITION_NAMES } from './check-condition.ts'

/** Names of `run`, `event` and `variables` that are never there: a run that reached one would end as a failure. */
export function checkNames(outline: Outline, problems: ProblemList): void {
  const known: KnownNames = { run: RUN_NAMES.map(({ name }) => name), variables: [...outline.variables.keys()] }
  for (const step of outline.steps) {
    for (const { condition } of [step, ...step.tasks]) {
      if (condition === undefined) continue
      const compiled = compileCondition(condition.value, { identifiers: CONDITION_NAMES })
      const unknown = compiled.ok ? findUnknownName([compiled.expression], known) : undefined
      if (unknown) report('condition', condition, unknown, problems)
    }
  }
  const group = outline.concurrency?.group
  const parsed = group && parseTextTemplate(group.value, TEMPLATE_NAMES)
  if (group && parsed?.ok) {
    const expressions = parsed.template.parts.filter((part) => typeof part !== 'string')
    const unknown = findUnknownName(expressions, known)
    if (unknown) report('group', group, unknown, problems)
  }
}

function report(what: string, text: PlacedText, unknown: UnknownName, problems: ProblemList): void {
  // Where a name is written in another way, such as event["brnch"], the text begins.
  const offset = Math.max(text.value.indexOf(unknown.path), 0)
  const column = text.firstColumn === undefined ? text.column : text.firstColumn + offset
  const message = `the ${what} cannot be used: ${unknown.message}`
  problems.add('invalid_expression', text.directive, { line: text.line, column }, message)
}
