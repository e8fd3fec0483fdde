import { type CelList, CelScalar, celEnv, celFunc, celList, listType, plan } from '@bufbuild/cel'
import type { ParsedExpression, SyntaxNode } from './inspect.ts'
import { expressionLimits } from './limits.ts'

type Comprehension = Extract<SyntaxNode['exprKind'], { case: 'comprehensionExpr' }>['value']
export type Evaluate = ReturnType<typeof plan>

const { BOOL, STRING, DYN } = CelScalar
const list = listType(DYN)

/** Rounds left for the evaluation in progress. Evaluation is synchronous, so one counter serves all plans. */
const budget = { rounds: 0 }

const limited = celEnv({
  funcs: [
    celFunc('@spend', [BOOL], BOOL, (goOn) => {
      if (--budget.rounds < 0) throw new Error(`it takes more than ${expressionLimits.rounds} rounds through lists`)
      return goOn
    }),
    // Doubling a value again and again must not eat the memory: 2 KB of text could make gigabytes.
    celFunc('_+_', [STRING, STRING], STRING, (left, right) => {
      if (left.length + right.length > expressionLimits.stringLength) throw new Error('a string becomes too long')
      return left + right
    }),
    celFunc('_+_', [list, list], list, (left, right) => joinLists(left, right)),
  ],
})

/** Whether CEL or this environment has a function or method of that name. */
export function knowsFunction(name: string): boolean {
  return !name.startsWith('@spend') && limited.funcs.find(name) !== undefined
}

/** Plans an inspected expression; each evaluation gets its own budget of rounds. */
export function planWithBudget(parsed: ParsedExpression, comprehensions: readonly Comprehension[]): Evaluate {
  for (const macro of comprehensions) {
    if (macro.loopCondition !== undefined) macro.loopCondition = spendBefore(macro.loopCondition)
  }
  const evaluate = plan(limited, parsed)
  return (bindings) => {
    budget.rounds = expressionLimits.rounds
    return evaluate(bindings)
  }
}

function joinLists(left: CelList, right: CelList): CelList {
  if (left.size + right.size > expressionLimits.listSize) throw new Error('a list becomes too long')
  return celList([...left, ...right])
}

function spendBefore(condition: SyntaxNode): SyntaxNode {
  return {
    $typeName: 'cel.expr.Expr',
    id: condition.id,
    exprKind: {
      case: 'callExpr',
      value: { $typeName: 'cel.expr.Expr.Call', function: '@spend', args: [condition] },
    },
  }
}
