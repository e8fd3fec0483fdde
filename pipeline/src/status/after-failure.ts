import type { Graph } from '../graph/graph.ts'
import { indexOf } from './graph-index.ts'
import { isTerminalStep, type StepStatus } from './state.ts'

/** `afterFailure` of every step, in the order of the graph, for a state that is made from stored statuses. */
export function afterFailures(graph: Graph, statuses: readonly StepStatus[]): readonly boolean[] {
  const { steps } = indexOf(graph)
  const after = steps.map(() => false)
  const failed = steps.filter((_, at) => statuses[at] === 'failure' || statuses[at] === 'timed_out')
  const noted = failed.flatMap((step) => step.dependents)
  for (const at of noted) {
    if (after[at]) continue
    after[at] = true
    const status = statuses[at]
    if (status !== undefined && isTerminalStep(status)) noted.push(...(steps[at]?.dependents ?? []))
  }
  return after
}
