import type { Graph, GraphStep, GraphTask } from '@signalbox/pipeline/graph'

export interface FoundTask {
  readonly step: GraphStep
  readonly task: GraphTask
}

const known = new WeakMap<Graph, ReadonlyMap<string, FoundTask>>()

/** A task by its names; undefined where the graph has none such. The graph must not be changed. */
export function findTask(graph: Graph, step: string, task: string): FoundTask | undefined {
  const index = known.get(graph) ?? indexOf(graph)
  known.set(graph, index)
  return index.get(`${step}/${task}`)
}

function indexOf(graph: Graph): ReadonlyMap<string, FoundTask> {
  return new Map(
    graph.steps.flatMap((step) => step.tasks.map((task) => [`${step.name}/${task.name}`, { step, task }] as const)),
  )
}
