import { type CompileOptions, type CompileResult, compileExpression } from './compile-expression.ts'
import { NO_CONDITION } from './expression.ts'

/**
 * Like `compileExpression`, but refuses expressions that give neither true nor false: such a condition would never
 * hold.
 */
export function compileCondition(text: string, options: CompileOptions): CompileResult {
  const compiled = compileExpression(text, options)
  if (!compiled.ok || !compiled.expression.neverBoolean) return compiled
  return { ok: false, problems: [{ message: NO_CONDITION, line: 1, column: 1 }] }
}
