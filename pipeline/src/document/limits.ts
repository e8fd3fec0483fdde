/** Structural limits of a document, and what applies where it says nothing. All are configurable by the caller. */
export interface DocumentLimits {
  /** UTF-8 bytes. */
  readonly bytes: number
  readonly steps: number
  /** In all steps together, with every instance of a matrix. */
  readonly tasks: number
  /** Characters of the graph as JSON: a matrix writes long values out again and again. */
  readonly graphLength: number
  /** Nesting of maps and lists. */
  readonly depth: number
  /** Maps, lists and scalars after aliases are expanded. */
  readonly nodes: number
  /** Time limit of a task without `timeout`, ms; null: none. */
  readonly defaultTaskTimeoutMs: number | null
  /** Time limit of a run whose pipeline has no `timeout`, ms; null: none. */
  readonly defaultRunTimeoutMs: number | null
}

export const DEFAULT_LIMITS: DocumentLimits = {
  bytes: 262_144,
  steps: 200,
  tasks: 2_000,
  graphLength: 4_194_304,
  depth: 50,
  nodes: 200_000,
  defaultTaskTimeoutMs: null,
  defaultRunTimeoutMs: null,
}
