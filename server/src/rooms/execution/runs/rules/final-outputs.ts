import type { Graph, GraphFinalOutput } from '@signalbox/pipeline/graph'
import { outputLimits, resolveEnvironment } from '@signalbox/pipeline/outputs'
import type { RunState } from '@signalbox/pipeline/status'

export interface MadeOutput extends Pick<GraphFinalOutput, 'name' | 'format'> {
  readonly content: string
  /** In the document, from 0. */
  readonly position: number
}

export interface MadeOutputs {
  readonly outputs: readonly MadeOutput[]
  /** What could not be made, in one sentence; null: all was. */
  readonly reason: string | null
}

/**
 * What is made of a run once it is over. An output that a task did not write, or never ran to write, is an empty text. What
 * is too long, or ought to be JSON and is none, is left out and said.
 */
export function makeOutputs(graph: Graph, state: RunState): MadeOutputs {
  const templates = Object.fromEntries(graph.finalOutputs.map(({ name, template }) => [name, template]))
  const { values } = resolveEnvironment(templates, state)
  const outputs: MadeOutput[] = []
  const faults: string[] = []
  for (const [position, { name, format }] of graph.finalOutputs.entries()) {
    const content = values[name] ?? ''
    const fault = findFault(format, content)
    if (fault === undefined) outputs.push({ name, format, content, position })
    else faults.push(`final_outputs.${name}: ${fault}`)
  }
  return { outputs, reason: faults.length === 0 ? null : faults.join(' ') }
}

function findFault(format: GraphFinalOutput['format'], content: string): string | undefined {
  const bytes = Buffer.byteLength(content)
  if (bytes > outputLimits.valueBytes) {
    return `it is ${bytes} bytes long, of at most ${outputLimits.valueBytes}: keep it as an artifact.`
  }
  if (format !== 'json') return undefined
  try {
    JSON.parse(content)
    return undefined
  } catch (error) {
    return `it is no JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`
  }
}
