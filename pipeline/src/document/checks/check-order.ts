import { type Order, orderOf } from '../../graph/index.ts'
import type { Layout } from '../matrix/index.ts'
import type { NodeOutline, Outline, StepOutline } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'
import { nearest } from '../suggestion.ts'

/** The order of steps, and of the tasks within each step; of a step with a matrix, within one combination. */
export interface DocumentOrder {
  readonly steps: Order
  readonly tasks: ReadonlyMap<StepOutline, Order>
}

/** Names that stand twice, dependencies that do not exist, and cycles. */
export function checkOrder(
  outline: Outline,
  layout: Layout,
  problems: ProblemList,
  warnings: ProblemList,
): DocumentOrder {
  const describeStep: Describe = (name, names) =>
    near('step', name, names) ??
    `there is no step \`${name}\`: remove it, or name one of ${names.slice(0, 10).join(', ')}`
  const steps = checkNodes('step', outline.steps, describeStep, { problems, warnings })
  const tasks = new Map<StepOutline, Order>()
  for (const { step, names } of layout.steps) {
    const describeTask: Describe = (name, known) => {
      const template = names.get(name)?.task.name?.value
      if (template !== undefined) {
        return `\`${name}\` is one instance of \`${template}\`: write \`${template}\`, which means the one of the same combination`
      }
      const close = near('task', name, known)
      if (close !== undefined) return close
      if (layout.named(name) !== undefined) {
        return `\`${name}\` is a step, but depends_on of a task names tasks of its own step: move it to depends_on of the step`
      }
      return `there is no task \`${name}\` in this step: remove it, or name one of ${known.slice(0, 10).join(', ')}`
    }
    tasks.set(step, checkNodes('task', step.tasks, describeTask, { problems, warnings }))
  }
  return { steps, tasks }
}

/** Names the fault of an unknown name. */
type Describe = (name: string, known: readonly string[]) => string

function near(kind: 'step' | 'task', name: string, names: readonly string[]): string | undefined {
  const found = nearest(name, names)
  return found === undefined ? undefined : `there is no ${kind} \`${name}\`: did you mean \`${found}\`?`
}

function checkNodes(
  kind: 'step' | 'task',
  nodes: readonly NodeOutline[],
  describeMissing: Describe,
  { problems, warnings }: { readonly problems: ProblemList; readonly warnings: ProblemList },
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
        problems.add('unknown_dependency', directive, dependency, describeMissing(value, names))
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
