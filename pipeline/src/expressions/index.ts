export { type BoundValue, bindValue } from './bind-value.ts'
export { compileCondition } from './compile-condition.ts'
export { type CompileOptions, type CompileResult, compileExpression } from './compile-expression.ts'
export { explainFailure } from './explain-failure.ts'
export {
  type Expression,
  type ExpressionProblem,
  type ExpressionResult,
  evaluateCondition,
  NO_CONDITION,
} from './expression.ts'
export { EXPRESSION_LIMITS } from './limits.ts'
export { type Budget, createBudget } from './meter.ts'
export {
  parseTextTemplate,
  type RenderedText,
  renderTemplate,
  renderTextTemplate,
  TEMPLATE_NAMES,
  TEXT_TEMPLATE_LIMITS,
  type TemplateContext,
  type TextTemplate,
  type TextTemplateResult,
} from './text-template.ts'
