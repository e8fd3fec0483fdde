import type { BoundValue } from './bind-value.ts'
import type { Budget } from './meter.ts'

/** Why an expression was refused. `line` and `column` (from 1) count within the expression's own text. */
export interface ExpressionProblem {
  readonly message: string
  readonly line: number
  readonly column: number
}

/** The value is what CEL made of it: boolean, string, bigint (int), number (double), null, or an object of the library. */
export type ExpressionResult<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string }

/**
 * A compiled expression. Evaluation never throws, has no effect but on the budget, and ends when that is spent; without
 * one it has a budget of its own.
 */
export interface Expression {
  readonly text: string
  /** Paths that it reads, such as `['steps', 'build', 'status']`; a path ends where a name is computed. */
  readonly references: readonly (readonly string[])[]
  /** The path, where the expression is a path and nothing else. */
  readonly path: readonly string[] | undefined
  /** Whether it can give neither true nor false; false where that cannot be told. */
  readonly neverBoolean: boolean
  evaluate(bindings: Readonly<Record<string, BoundValue>>, budget?: Budget): ExpressionResult
}

/** Why an expression that gives something else is no condition. */
export const NO_CONDITION = 'it gives no true or false: compare the value with something, such as == "main"'

/** Evaluates to true or false; anything else is an error. */
export function evaluateCondition(
  expression: Expression,
  bindings: Readonly<Record<string, BoundValue>>,
  budget?: Budget,
): ExpressionResult<boolean> {
  const result = expression.evaluate(bindings, budget)
  if (!result.ok) return result
  if (typeof result.value === 'boolean') return { ok: true, value: result.value }
  return { ok: false, message: NO_CONDITION }
}
