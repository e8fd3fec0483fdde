import type { Graph } from '@signalbox/pipeline/graph'

/** A stored graph in the format that this release walks; undefined for one of another release. */
export function readStoredGraph(value: unknown): Graph | undefined {
  return isGraph(value) ? value : undefined
}

function isGraph(value: unknown): value is Graph {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === 2 && 'steps' in value
}
