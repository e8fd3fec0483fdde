import type { OutputReference } from '../graph/values.ts'

/** Text as it is written, before it is known which tasks are instances of a matrix. */
export type Template = readonly (string | OutputReference)[]

export interface TemplateProblem {
  readonly text: string
  readonly message: string
}

// Ends in no `-`, so that a reference before a dash in plain text ends where a reader expects.
const OUTPUT_PATTERN = '[A-Za-z_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?'
const OUTPUT_NAME = new RegExp(`^${OUTPUT_PATTERN}$`)
const NAME = '[a-z0-9][a-z0-9_-]{0,62}'
const REFERENCE = new RegExp(`^\\$steps\\.(${NAME})\\.(${NAME})\\.outputs\\.(${OUTPUT_PATTERN})`)

/** Names of outputs: a letter or `_`, then letters, digits, `_`, `-` (not last); at most 63. */
export function isOutputName(text: string): boolean {
  return OUTPUT_NAME.test(text)
}

/** `$steps.<step>.<task>.outputs.<name>` */
export function formatReference(to: OutputReference): string {
  return `$steps.${to.step}.${to.task}.outputs.${to.output}`
}

/**
 * Splits text into literal parts and output references. A reference is as long as its name can be read;
 * `$$steps.` stands for a literal `$steps.`.
 */
export function parseTemplate(text: string): { template: Template; problems: readonly TemplateProblem[] } {
  const parts: (string | OutputReference)[] = []
  const problems: TemplateProblem[] = []
  let literal = ''
  let position = 0
  for (let at = text.indexOf('$steps.'); at !== -1; at = text.indexOf('$steps.', position)) {
    if (at > position && text[at - 1] === '$') {
      literal += text.slice(position, at - 1) + '$steps.'
      position = at + '$steps.'.length
      continue
    }
    literal += text.slice(position, at)
    const match = REFERENCE.exec(text.slice(at, at + 256))
    const [whole, step, task, output] = match ?? []
    if (whole === undefined || step === undefined || task === undefined || output === undefined) {
      const found = /^\$[\w.-]*/.exec(text.slice(at, at + 256))?.[0] ?? '$steps.'
      problems.push({
        text: found,
        message: `\`${found}\` is no output reference: write $steps.<step>.<task>.outputs.<name>, or $$steps. for the plain text`,
      })
      literal += '$steps.'
      position = at + '$steps.'.length
      continue
    }
    if (literal !== '') parts.push(literal)
    literal = ''
    parts.push({ step, task, output })
    position = at + whole.length
  }
  literal += text.slice(position)
  if (literal !== '' || parts.length === 0) parts.push(literal)
  return { template: parts, problems }
}
