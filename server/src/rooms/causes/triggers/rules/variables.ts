import { type BoundValue, type Budget, compileExpression, type Expression } from '@signalbox/pipeline/expressions'

/** A value of a trigger's variable: text, and expressions that are replaced by what they give. */
export interface VariableTemplate {
  readonly parts: readonly (string | Expression)[]
}

export type TemplateResult =
  | { readonly ok: true; readonly template: VariableTemplate }
  | { readonly ok: false; readonly message: string }

export type VariableResult =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly message: string }

const MAX_VALUE = 32_768
/** Of one text: each costs time to read and to evaluate. */
const MAX_EXPRESSIONS = 20

/**
 * Reads `text ${{ <CEL over event> }} text`. `$${{` stands for the plain characters `${{`. An expression ends at the
 * first `}}` behind which it can be read, so that a map literal may stand in it.
 */
export function parseVariable(text: string): TemplateResult {
  const parts: (string | Expression)[] = []
  let literal = ''
  let position = 0
  let expressions = 0
  for (let at = text.indexOf('${{'); at !== -1; at = text.indexOf('${{', position)) {
    if (at > position && text[at - 1] === '$') {
      literal += `${text.slice(position, at - 1)}\${{`
      position = at + 3
      continue
    }
    literal += text.slice(position, at)
    const found = readExpression(text, at + 3)
    if (!found.ok) return found
    expressions += 1
    if (expressions > MAX_EXPRESSIONS) {
      return { ok: false, message: `holds more than ${MAX_EXPRESSIONS} expressions: make one of several` }
    }
    if (literal !== '') parts.push(literal)
    literal = ''
    parts.push(found.expression)
    position = found.end
  }
  literal += text.slice(position)
  if (literal !== '' || parts.length === 0) parts.push(literal)
  return { ok: true, template: { parts } }
}

/** Tries at most so many ends: a text of nothing but braces must not cost more. */
const MAX_ENDS = 8

function readExpression(
  text: string,
  start: number,
):
  | { readonly ok: true; readonly expression: Expression; readonly end: number }
  | { readonly ok: false; readonly message: string } {
  let problem = 'the expression that begins with ${{ has no }} at its end'
  let end = start
  for (let tries = 0; tries < MAX_ENDS; tries += 1) {
    const close = text.indexOf('}}', end)
    if (close === -1) break
    const compiled = compileExpression(text.slice(start, close).trim(), { identifiers: ['event'] })
    if (compiled.ok) return { ok: true, expression: compiled.expression, end: close + 2 }
    if (tries === 0) problem = compiled.problems[0]?.message ?? problem
    end = close + 1
  }
  return { ok: false, message: problem }
}

/** The value for one event, at the expense of a budget: text as it is, numbers and booleans written out, null as nothing. */
export function evaluateVariable(template: VariableTemplate, event: BoundValue, budget?: Budget): VariableResult {
  let value = ''
  for (const part of template.parts) {
    if (typeof part === 'string') {
      value += part
      continue
    }
    const result = part.evaluate({ event }, budget)
    if (!result.ok) return result
    const written = writeOut(result.value)
    if (written === undefined) {
      return { ok: false, message: `\`${part.text}\` gives a list or an object; choose one value of it` }
    }
    value += written
  }
  if (value.length > MAX_VALUE) return { ok: false, message: `the value is longer than ${MAX_VALUE} characters` }
  return { ok: true, value }
}

function writeOut(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
    case 'number':
      return String(value)
    default:
      return value === null ? '' : undefined
  }
}
