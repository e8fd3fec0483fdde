/**
 * The largest cost of an expression. Tenants write them, and one process evaluates them all: the worst that fits takes
 * about a tenth of a second.
 */
export const EXPRESSION_LIMITS = {
  /** Length of the text, UTF-16 units. */
  length: 2_048,
  /** Nodes of the syntax tree, macros expanded. */
  nodes: 400,
  /** `exists`, `all`, `map`, `filter` inside each other. */
  macroNesting: 2,
  /** Steps of one evaluation: parts that are looked at in rounds of macros, and what calls read of large operands. */
  cost: 250_000,
  /** Elements of a list that `+` makes. */
  listSize: 2_000,
  /** UTF-16 units of a string that `+` makes. */
  stringLength: 1_048_576,
} as const
