import { type Order, orderOf } from '../graph/index.ts'
import type { NodeOutline, Outline, StepOutline } from './outline.ts'
import type { ProblemList } from './problem.ts'
import { nearest } from './suggestion.ts'

/** The order of steps, and of the tasks within each step. */
export interface DocumentOrder {
  readonly steps: Order
  readonly tasks: ReadonlyMap<StepOutline, Order>
}

/** Names that stand twice, dependencies that do not exist, and cycles. */
export function checkOrder(outline: Outline, problems: ProblemList, warnings: ProblemList): DocumentOrder {
  const steps = checkNodes('step', outline.steps, problems, warnings)
  const tasks = new Map<StepOutline, Order>()
  const stepNames = new Set(outline.steps.flatMap((step) => step.name?.value ?? []))
  for (const step of outline.steps) tasks.set(step, checkNodes('task', step.tasks, problems, warnings, stepNames))
  return { steps, tasks }
}

function checkNodes(
  kind: 'step' | 'task',
  nodes: readonly NodeOutline[],
  problems: ProblemList,
  warnings: ProblemList,
  stepNames: ReadonlySet<string> = new Set(),
): Order {
  const byName = new Map<string, NodeOutline>()
  for (const node of nodes) {
    if (node.name === undefined) continue
    const first = byName.get(node.name.value)
    if (first === undefined) byName.set(node.name.value, node)
    else {
      const message = `there is a ${kind} \`${node.name.value}\` in line ${first.line} already: give this one another name`
      problems.add('duplicate_name', node.name.directive, node.name, message)
    }
  }
  const names = [...byName.keys()]
  for (const node of nodes) {
    const seen = new Set<string>()
    for (const dependency of node.dependsOn) {
      const { value, directive } = dependency
      if (!byName.has(value)) {
        problems.add('unknown_dependency', directive, dependency, describeMissing(kind, value, names, stepNames))
      } else if (seen.has(value)) {
        warnings.add('duplicate_dependency', directive, dependency, `\`${value}\` stands here twice: remove one`)
      }
      seen.add(value)
    }
  }
  const unique = [...byName].map(([name, node]) => ({ name, dependsOn: node.dependsOn.map((one) => one.value) }))
  const order = orderOf(unique)
  for (const cycle of order.cycles) reportCycle(kind, cycle, byName, problems)
  return order
}

function describeMissing(
  kind: 'step' | 'task',
  name: string,
  names: readonly string[],
  stepNames: ReadonlySet<string>,
): string {
  const near = nearest(name, names)
  if (near !== undefined) return `there is no ${kind} \`${name}\`: did you mean \`${near}\`?`
  if (stepNames.has(name)) {
    return `\`${name}\` is a step, but depends_on of a task names tasks of its own step: move it to depends_on of the step`
  }
  return `there is no ${kind} \`${name}\`${kind === 'task' ? ' in this step' : ''}: remove it, or name one of ${names.slice(0, 10).join(', ')}`
}

function reportCycle(
  kind: 'step' | 'task',
  cycle: readonly string[],
  byName: ReadonlyMap<string, NodeOutline>,
  problems: ProblemList,
): void {
  const [first, second = first] = cycle
  const node = first === undefined ? undefined : byName.get(first)
  const dependency = node?.dependsOn.find((one) => one.value === second)
  if (dependency === undefined) return
  const way = [...cycle, first].join(' -> ')
  const message =
    cycle.length === 1
      ? `the ${kind} \`${first}\` waits for itself: remove it from its depends_on`
      : `these ${kind}s wait for each other in a circle: ${way}; remove one of these dependencies`
  problems.add('dependency_cycle', dependency.directive, dependency, message)
}
