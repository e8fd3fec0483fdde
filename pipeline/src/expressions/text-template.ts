import type { BoundValue } from './bind-value.ts'
import { bindValue } from './bind-value.ts'
import { type CompileResult, compileExpression } from './compile-expression.ts'
import { explainFailure } from './explain-failure.ts'
import type { Expression } from './expression.ts'
import type { Budget } from './meter.ts'

/** Text with expressions that are replaced by their values. */
export interface TextTemplate {
  readonly parts: readonly (string | Expression)[]
}

/** `offset` is where in the text, in UTF-16 units. */
export type TextTemplateResult =
  | { readonly ok: true; readonly template: TextTemplate }
  | { readonly ok: false; readonly message: string; readonly offset: number }

export type RenderedText =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly message: string }

export const TEXT_TEMPLATE_LIMITS = {
  /** Of the text that is made, UTF-16 units. */
  length: 32_768,
  /** Of one text: each costs time to read and to evaluate. */
  expressions: 20,
  /** Tries at most so many ends: a text of nothing but braces must not cost more. */
  ends: 8,
} as const

/**
 * Reads `text ${{ <CEL> }} text`. `$${{` stands for the plain characters `${{`. An expression ends at the first `}}`
 * behind which it can be read, so that a map literal may stand in it. Never throws.
 */
export function parseTextTemplate(text: string, identifiers: readonly string[]): TextTemplateResult {
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
    const found = readExpression(text, at + 3, identifiers)
    if (!found.ok) return found
    expressions += 1
    if (expressions > TEXT_TEMPLATE_LIMITS.expressions) {
      const message = `it holds more than ${TEXT_TEMPLATE_LIMITS.expressions} expressions: make one of several`
      return { ok: false, message, offset: at }
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

/**
 * The text for these values, at the expense of a budget: text as it is, numbers and booleans written out, null as
 * nothing. Never throws.
 */
export function renderTextTemplate(
  template: TextTemplate,
  bindings: Readonly<Record<string, BoundValue>>,
  budget?: Budget,
): RenderedText {
  let value = ''
  for (const part of template.parts) {
    if (typeof part === 'string') {
      value += part
      continue
    }
    const result = part.evaluate(bindings, budget)
    if (!result.ok) return { ok: false, message: `\`${part.text}\`: ${result.message}` }
    const written = writeOut(result.value)
    if (written === undefined) {
      return { ok: false, message: `\`${part.text}\` gives a list or an object; choose one value of it` }
    }
    value += written
  }
  if (value.length <= TEXT_TEMPLATE_LIMITS.length) return { ok: true, value }
  return { ok: false, message: `the value is longer than ${TEXT_TEMPLATE_LIMITS.length} characters` }
}

/** The names that a template of a pipeline may use. */
export const TEMPLATE_NAMES = ['run', 'event', 'variables']

/**
 * The values that a template of a pipeline sees: the run, the event in wire shape or null, and the variables of the
 * run.
 */
export interface TemplateContext {
  readonly run: Readonly<Record<string, string | number | null>>
  readonly event: unknown
  readonly variables: Readonly<Record<string, string>>
}

/**
 * The value of a text with `${{ <CEL> }}` over `run`, `event` and `variables`, such as `concurrency.group`. Pure and never
 * throws: `message` is a sentence that names the fault, such as a name that this event does not have.
 */
export function renderTemplate(text: string, context: TemplateContext): RenderedText {
  const parsed = parseTextTemplate(text, TEMPLATE_NAMES)
  if (!parsed.ok) return { ok: false, message: parsed.message }
  const event = bindValue(context.event)
  const bindings = { run: bindValue(context.run), event, variables: bindValue(context.variables) }
  const rendered = renderTextTemplate(parsed.template, bindings)
  if (rendered.ok) return rendered
  const expressions = parsed.template.parts.filter((part) => typeof part !== 'string')
  return { ok: false, message: explainFailure(rendered.message, expressions, context.event) }
}

function readExpression(
  text: string,
  start: number,
  identifiers: readonly string[],
):
  | { readonly ok: true; readonly expression: Expression; readonly end: number }
  | { readonly ok: false; readonly message: string; readonly offset: number } {
  let first: CompileResult | undefined
  let end = start
  for (let tries = 0; tries < TEXT_TEMPLATE_LIMITS.ends; tries += 1) {
    const close = text.indexOf('}}', end)
    if (close === -1) break
    const compiled = compileExpression(text.slice(start, close).trim(), { identifiers })
    if (compiled.ok) return { ok: true, expression: compiled.expression, end: close + 2 }
    first ??= compiled
    end = close + 1
  }
  const [problem] = first?.ok === false ? first.problems : []
  if (problem === undefined) {
    return { ok: false, message: 'the expression that begins with ${{ has no }} at its end', offset: start - 3 }
  }
  const space = /^\s*/.exec(text.slice(start))?.[0].length ?? 0
  return { ok: false, message: problem.message, offset: start + space + (problem.line === 1 ? problem.column - 1 : 0) }
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
