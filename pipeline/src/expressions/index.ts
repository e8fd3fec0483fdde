export { type BoundValue, bindValue } from './bind-value.ts'
export { type CompileOptions, type CompileResult, compileExpression } from './compile-expression.ts'
export { type Expression, type ExpressionProblem, type ExpressionResult, evaluateCondition } from './expression.ts'
export { expressionLimits } from './limits.ts'
