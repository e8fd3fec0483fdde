import { type ParseResult, parsePipeline } from './parse-pipeline.ts'

/** A sound document with these steps, each in YAML flow form, and `more` top-level lines. */
export function withSteps(steps: readonly string[], more = ''): string {
  return `name: a\n${more}steps:\n${steps.map((step) => `  - { ${step} }\n`).join('')}`
}

/** A sound document with one step and one task of which a test changes a part. */
export function withTask(task: string, step = '', more = ''): string {
  return `name: a\n${more}steps:\n  - name: s\n${step}    tasks:\n      - { name: t, ${task} }\n`
}

/** `code directive: message` of every problem, or of every warning of a sound document. */
export function faultsOf(text: string): string[] {
  const result = parsePipeline(text)
  return (result.ok ? result.warnings : result.problems).map((one) => `${one.code} ${one.directive}: ${one.message}`)
}

export function soundGraph(text: string): Extract<ParseResult, { ok: true }>['graph'] {
  const result = parsePipeline(text)
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 1))
  return result.graph
}
