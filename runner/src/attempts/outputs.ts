import type { OutputDeclaration } from '@signalbox/contracts/runner'
import { parseOutputFile } from '@signalbox/pipeline/outputs'
import type { OutputFile } from '../executors/workspace/output-file.ts'
import type { MaskedValues } from '../masking/masker.ts'

export interface ReadOutput {
  name: string
  value: string
  sensitive: boolean
}
export interface ReadOutputs {
  outputs: readonly ReadOutput[]
  notes: readonly string[]
  problem: string | undefined
}

/**
 * The declared outputs in a task's output file. A value that contains a masked value counts as sensitive, declared so
 * or not, and is noted. A file that cannot be understood is a `problem`; undeclared names are left out and noted.
 */
export function readOutputs(
  file: OutputFile,
  declarations: readonly OutputDeclaration[],
  values: MaskedValues,
): ReadOutputs {
  if ('problem' in file) return { outputs: [], notes: [], problem: file.problem }
  const { outputs, problems } = parseOutputFile(file.text)
  const sensitive = new Map(declarations.map((each) => [each.name, each.sensitive]))
  const quotable = !declarations.some((each) => each.sensitive)
  const read: ReadOutput[] = []
  const notes: string[] = []
  for (const [name, value] of Object.entries(outputs)) {
    const declared = sensitive.get(name)
    if (declared === undefined) notes.push(`The output ${name} is not declared in the pipeline and is not kept.`)
    else {
      const found = !declared && values.occursIn(value)
      if (found) notes.push(`The output ${name} holds something that is masked: it is taken as sensitive.`)
      read.push({ name, value, sensitive: declared || found })
    }
  }
  // A problem quotes the line, which may be a sensitive value that was written wrongly.
  const [first] = problems.map((problem) => (quotable ? problem : (/^line \d+/.exec(problem)?.[0] ?? 'a line')))
  const problem = first === undefined ? undefined : `The output file cannot be used: ${first}.`
  return { outputs: read, notes, problem }
}

/** The values of sensitive outputs written so far. */
export function sensitiveValues(file: OutputFile, declarations: readonly OutputDeclaration[]): string[] {
  if ('problem' in file) return []
  const { outputs } = parseOutputFile(file.text)
  return declarations.flatMap(({ name, sensitive }) => {
    const value = Object.hasOwn(outputs, name) ? outputs[name] : undefined
    return sensitive && value !== undefined ? [value] : []
  })
}
