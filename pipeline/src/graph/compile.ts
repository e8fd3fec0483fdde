import type { Graph, GraphStep, GraphTask } from './graph.ts'

/** A step or task before the graph knows its dependents. */
type Unlinked<Node> = Node extends unknown ? Omit<Node, 'dependents'> : never
export type StepDefinition = Omit<Unlinked<GraphStep>, 'tasks'> & { readonly tasks: readonly TaskDefinition[] }
export type TaskDefinition = Unlinked<GraphTask>
export type GraphDefinition = Omit<Graph, 'format' | 'steps'> & { readonly steps: readonly StepDefinition[] }

/**
 * Turns a checked definition (unique names, known dependencies, no cycle) into the graph that a run stores.
 * Order of steps and tasks is the document's; dependencies lose their duplicates.
 */
export function compileGraph(definition: GraphDefinition): Graph {
  const steps = link(definition.steps).map((step) => ({ ...step, tasks: link(step.tasks) }))
  return { format: 2, ...definition, steps }
}

function link<Node extends { readonly name: string; readonly dependsOn: readonly string[] }>(
  nodes: readonly Node[],
): (Node & { dependents: readonly string[] })[] {
  const dependents = new Map<string, string[]>(nodes.map((node) => [node.name, []]))
  const unique = nodes.map((node) => ({ ...node, dependsOn: [...new Set(node.dependsOn)] }))
  for (const node of unique) for (const name of node.dependsOn) dependents.get(name)?.push(node.name)
  return unique.map((node) => ({ ...node, dependents: dependents.get(node.name) ?? [] }))
}
