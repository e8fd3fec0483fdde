import type { Graph, GraphStep, GraphTask, RetryPolicy } from '@signalbox/pipeline/graph'

type Former<Whole, Added extends PropertyKey> = Whole extends unknown ? Omit<Whole, Added> : never

/** What graphs of format 1 had; everything else came later and is absent where it is not written. */
type FormerTask = Former<
  GraphTask,
  'retry' | 'profile' | 'container' | 'matrix' | 'template' | 'artifacts' | 'needsArtifacts' | 'cache'
> & { readonly retry: Omit<RetryPolicy, 'exitCodes'> }
interface FormerStep extends Omit<GraphStep, 'when' | 'scope' | 'profile' | 'tasks'> {
  readonly tasks: readonly FormerTask[]
}
interface FormerGraph
  extends Omit<Graph, 'format' | 'queueTimeoutMs' | 'priority' | 'concurrency' | 'finalOutputs' | 'steps'> {
  readonly format: 1
  readonly steps: readonly FormerStep[]
}

/**
 * A stored graph in the format that this release walks; undefined for one of another release. One of format 1 is not
 * compiled again from its document: what was refused since then would take away a version that runs have pinned.
 */
export function readStoredGraph(value: unknown): Graph | undefined {
  if (isGraph(value)) return value
  return isFormer(value) ? renew(value) : undefined
}

function isGraph(value: unknown): value is Graph {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === 2 && 'steps' in value
}

function isFormer(value: unknown): value is FormerGraph {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === 1 && 'steps' in value
}

function renew(graph: FormerGraph): Graph {
  return {
    ...graph,
    format: 2,
    queueTimeoutMs: null,
    priority: 0,
    concurrency: null,
    finalOutputs: [],
    steps: graph.steps.map((step) => ({
      ...step,
      when: 'success',
      scope: null,
      profile: null,
      tasks: step.tasks.map((task) => ({
        ...task,
        retry: { ...task.retry, exitCodes: null },
        profile: null,
        container: null,
        matrix: null,
        template: task.name,
        artifacts: null,
        needsArtifacts: [],
        cache: null,
      })),
    })),
  }
}
