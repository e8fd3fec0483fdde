import {
  type BoundValue,
  type Budget,
  parseTextTemplate,
  type RenderedText,
  renderTextTemplate,
  type TextTemplate,
} from '@signalbox/pipeline/expressions'

/** A value of a trigger's variable, or its concurrency group: text with CEL over the event and the run in `${{ }}`. */
export type VariableTemplate = TextTemplate

export type TemplateResult =
  | { readonly ok: true; readonly template: VariableTemplate }
  | { readonly ok: false; readonly message: string }

/** Reads `text ${{ <CEL over run and event> }} text`; `$${{` stands for the plain characters `${{`. */
export function parseVariable(text: string): TemplateResult {
  return parseTextTemplate(text, ['run', 'event'])
}

/** The values that a template can read. */
export interface Seen {
  readonly run: BoundValue
  readonly event: BoundValue
}

/** The value for one event, at the expense of a budget: text as it is, numbers and booleans written out, null as nothing. */
export function evaluateVariable(template: VariableTemplate, seen: Seen, budget?: Budget): RenderedText {
  return renderTextTemplate(template, { run: seen.run, event: seen.event }, budget)
}
