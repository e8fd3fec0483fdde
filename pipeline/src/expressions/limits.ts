/**
 * What an expression may cost. Tenants write them, and one process evaluates them all: the worst that fits
 * stays in the tens of milliseconds.
 */
export const expressionLimits = {
  /** Length of the text, UTF-16 units. */
  length: 2_048,
  /** Nodes of the syntax tree, macros expanded. */
  nodes: 400,
  /** `exists`, `all`, `map`, `filter` inside each other. */
  macroNesting: 2,
  /** Rounds of all macros of one evaluation together. */
  rounds: 50_000,
  /** Elements of a list that `+` makes. */
  listSize: 2_000,
  /** UTF-16 units of a string that `+` makes. */
  stringLength: 1_048_576,
} as const
