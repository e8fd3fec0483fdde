import type { Graph, GraphFinalOutput } from '@signalbox/pipeline/graph'
import { renderFinalOutput } from '@signalbox/pipeline/outputs'
import type { RunState } from '@signalbox/pipeline/status'

export interface MadeOutput extends Pick<GraphFinalOutput, 'name' | 'format'> {
  readonly content: string
  /** In the document, from 0. */
  readonly position: number
}

export interface MadeOutputs {
  readonly outputs: readonly MadeOutput[]
  /** Sentences about the outputs that could not be made; null: all were made. */
  readonly reason: string | null
}

/**
 * The final outputs of a finished run. An output that a task did not write is an empty text, or null in JSON. An
 * output that is too long, shows something sensitive, or is no JSON where JSON is declared, is left out; the reason
 * names it.
 */
export function makeOutputs(graph: Graph, state: RunState): MadeOutputs {
  const outputs: MadeOutput[] = []
  const faults: string[] = []
  for (const [position, output] of graph.finalOutputs.entries()) {
    const { name, format } = output
    const made = renderFinalOutput(output, state)
    if (made.ok) outputs.push({ name, format, content: made.content, position })
    else faults.push(made.message)
  }
  return { outputs, reason: faults.length === 0 ? null : faults.join(' ') }
}
