import type { Graph } from '@signalbox/pipeline/graph'

/** Whether a stored graph is of the format that this release writes and walks. */
export function isGraph(value: unknown): value is Graph {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === 2 && 'steps' in value
}

/** A stored map of names to texts. */
export function toTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]))
}
