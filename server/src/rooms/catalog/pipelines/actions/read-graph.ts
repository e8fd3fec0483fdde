import type { Graph, GraphTask } from '@signalbox/pipeline/graph'
import { LRUCache } from 'lru-cache'
import type { Means } from '../means.ts'
import { readStoredGraph } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** Characters of graphs that are kept: four of the largest graphs, or some thousand usual ones. */
const GRAPH_CACHE_SIZE = 16 * 1024 * 1024
/** About the size of a task without its script. */
const TASK_SIZE = 800

/** Keeps graphs by version id. A version never changes, so a kept graph never grows stale. */
export function createGraphReader(): Means['getGraph'] {
  const graphs = new LRUCache<string, Graph>({ maxSize: GRAPH_CACHE_SIZE })
  return async (db, versionId) => {
    const kept = graphs.get(versionId)
    if (kept) return kept
    const row = await store.findGraph(db, versionId)
    if (!row) return undefined
    const graph = readStoredGraph(row.graph)
    if (!graph) throw new Error(`The graph of pipeline version ${versionId} has a format of another release`)
    graphs.set(versionId, graph, { size: weigh(graph) })
    return graph
  }
}

/** About the length of its JSON, without writing the JSON. */
function weigh(graph: Graph): number {
  let size = TASK_SIZE
  for (const step of graph.steps) {
    for (const task of step.tasks) size += TASK_SIZE + weighAction(task)
  }
  return size
}

function weighAction(task: GraphTask): number {
  switch (task.kind) {
    case 'run':
      return task.script.length
    case 'pipeline':
    case 'approval':
      return 0
  }
}
