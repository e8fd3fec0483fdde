import type { Graph, GraphStep, GraphTask } from '../graph/graph.ts'

/** Positions instead of names, worked out once for each graph object. */
export interface GraphIndex {
  readonly steps: readonly StepIndex[]
  readonly stepAt: ReadonlyMap<string, number>
}

export interface StepIndex {
  readonly step: GraphStep
  readonly dependsOn: readonly number[]
  readonly dependents: readonly number[]
  readonly tasks: readonly TaskIndex[]
  readonly taskAt: ReadonlyMap<string, number>
}

export interface TaskIndex {
  readonly task: GraphTask
  readonly dependsOn: readonly number[]
  readonly dependents: readonly number[]
}

const indexes = new WeakMap<Graph, GraphIndex>()

/** The index of a graph; the graph must not be changed afterwards. */
export function indexOf(graph: Graph): GraphIndex {
  const known = indexes.get(graph)
  if (known !== undefined) return known
  const stepAt = positions(graph.steps)
  const steps = graph.steps.map((step) => {
    const taskAt = positions(step.tasks)
    return {
      step,
      taskAt,
      ...links(step, stepAt),
      tasks: step.tasks.map((task) => ({ task, ...links(task, taskAt) })),
    }
  })
  const index = { steps, stepAt }
  indexes.set(graph, index)
  return index
}

function positions(nodes: readonly { readonly name: string }[]): ReadonlyMap<string, number> {
  return new Map(nodes.map((node, position) => [node.name, position]))
}

function links(
  node: { readonly dependsOn: readonly string[]; readonly dependents: readonly string[] },
  at: ReadonlyMap<string, number>,
) {
  const find = (name: string) => at.get(name) ?? []
  return { dependsOn: node.dependsOn.flatMap(find), dependents: node.dependents.flatMap(find) }
}
