import type { DocumentLimits } from './limits.ts'
import type { ProblemList } from './problem.ts'
import { readCarefully } from './read-carefully.ts'
import { readPlainly } from './read-plainly.ts'
import type { SourceNode } from './source-tree.ts'

/** YAML text as a tree with positions; undefined after a problem that leaves nothing to look at. */
export function readSource(text: string, limits: DocumentLimits, problems: ProblemList): SourceNode | undefined {
  return readPlainly(text, limits) ?? readCarefully(text, limits, problems)
}
