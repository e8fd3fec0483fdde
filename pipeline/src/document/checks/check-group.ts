import { parseTextTemplate, TEMPLATE_NAMES } from '../../expressions/index.ts'
import type { Outline } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'

/** The concurrency group: text with CEL over the facts that are known when a run is queued. */
export function checkGroup(outline: Outline, problems: ProblemList): void {
  const group = outline.concurrency?.group
  if (group === undefined) return
  const parsed = parseTextTemplate(group.value, TEMPLATE_NAMES)
  if (parsed.ok) return
  const { message, offset } = parsed
  const column = group.firstColumn === undefined ? group.column : group.firstColumn + offset
  problems.add(
    'invalid_expression',
    group.directive,
    { line: group.line, column },
    `the group cannot be used: ${message}`,
  )
}
