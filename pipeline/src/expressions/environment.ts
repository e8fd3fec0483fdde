import {
  type CelFunc,
  type CelList,
  CelScalar,
  type CelValue,
  celEnv,
  celFunc,
  celList,
  celMethod,
  isCelError,
  listType,
  plan,
} from '@bufbuild/cel'
import type { ParsedExpression, SyntaxNode } from './inspect.ts'
import { EXPRESSION_LIMITS } from './limits.ts'
import { type Budget, PRICES, type Price, priceOfRound, priceOfWalk, spend, spendFrom } from './meter.ts'

type Comprehension = Extract<SyntaxNode['exprKind'], { case: 'comprehensionExpr' }>['value']
export type Evaluate = (
  bindings: Parameters<ReturnType<typeof plan>>[0],
  budget: Budget,
) => ReturnType<ReturnType<typeof plan>>

const { BOOL, DYN, INT, STRING } = CelScalar
const list = listType(DYN)

/** Functions of CEL as they are, with those in front that must not grow their result without bound. */
const bounded = celEnv({
  funcs: [
    // Doubling a value again and again must not eat the memory: 2 KB of text could make gigabytes.
    celFunc('_+_', [STRING, STRING], STRING, (left, right) => {
      if (left.length + right.length > EXPRESSION_LIMITS.stringLength) throw new Error('a string becomes too long')
      return left + right
    }),
    celFunc('_+_', [list, list], list, (left, right) => joinLists(left, right)),
  ],
})

const limited = celEnv({
  funcs: [
    celFunc('@spend', [BOOL, INT], BOOL, (goOn, parts) => {
      spend(priceOfRound(Number(parts)))
      return goOn
    }),
    celFunc('@walk', [DYN], DYN, (walked) => {
      spend(priceOfWalk(walked))
      return walked
    }),
    ...[...bounded.funcs].map((func) => metered(func, PRICES.get(func.name))),
  ],
})

/** Whether CEL or this environment has a function or method of that name. */
export function knowsFunction(name: string): boolean {
  return !name.startsWith('@spend') && !name.startsWith('@walk') && limited.funcs.find(name) !== undefined
}

/** Plans an inspected expression. The budget of the evaluation pays for the macros and calls of the expression. */
export function planWithBudget(parsed: ParsedExpression, comprehensions: readonly Comprehension[]): Evaluate {
  // The macros are counted before they grow by inserted parts.
  const parts = comprehensions.map((macro) => BigInt(countNodes(macro.loopCondition) + countNodes(macro.loopStep)))
  for (const [at, macro] of comprehensions.entries()) {
    const { loopCondition, iterRange } = macro
    if (loopCondition) macro.loopCondition = call('@spend', [loopCondition, constant(parts[at] ?? 0n)])
    if (iterRange) macro.iterRange = call('@walk', [iterRange])
  }
  const evaluate = plan(limited, parsed)
  return (bindings, budget) => spendFrom(budget, () => evaluate(bindings))
}

/** Arrays behind the lists that are made here: joining two of them copies words, not one element after the other. */
const arrays = new WeakMap<CelList, readonly CelValue[]>()

function joinLists(left: CelList, right: CelList): CelList {
  if (left.size + right.size > EXPRESSION_LIMITS.listSize) throw new Error('a list becomes too long')
  const joined = [...(arrays.get(left) ?? left), ...(arrays.get(right) ?? right)]
  const made = celList(joined)
  arrays.set(made, joined)
  return made
}

function metered(func: CelFunc, price: Price | undefined): CelFunc {
  if (!price) return func
  const { name, target, result } = func
  const types = [...func.arguments]
  const pay = (whole: CelValue | undefined, operands: CelValue[]) => {
    spend(price(whole === undefined ? operands : [whole, ...operands]))
    const value = func.call(0, whole, operands)
    if (value === undefined) throw new Error(`${name} cannot be applied to this`)
    if (isCelError(value)) throw value
    return value
  }
  if (target === undefined) return celFunc(name, types, result, (...operands: CelValue[]) => pay(undefined, operands))
  return celMethod(name, target, types, result, function (...operands: CelValue[]) {
    return pay(this, operands)
  })
}

function countNodes(node: SyntaxNode | undefined): number {
  if (node === undefined) return 0
  const { exprKind } = node
  switch (exprKind.case) {
    case 'selectExpr':
      return 1 + countNodes(exprKind.value.operand)
    case 'callExpr':
      return 1 + countAll([exprKind.value.target, ...exprKind.value.args])
    case 'listExpr':
      return 1 + countAll(exprKind.value.elements)
    case 'structExpr':
      return (
        1 +
        countAll(
          exprKind.value.entries.flatMap(({ keyKind, value }) => [
            keyKind.case === 'mapKey' ? keyKind.value : undefined,
            value,
          ]),
        )
      )
    case 'comprehensionExpr':
      // The rounds are paid for apart.
      return 1 + countAll([exprKind.value.iterRange, exprKind.value.accuInit, exprKind.value.result])
    default:
      return 1
  }
}

function countAll(nodes: readonly (SyntaxNode | undefined)[]): number {
  return nodes.reduce((sum: number, node) => sum + countNodes(node), 0)
}

function call(name: string, args: SyntaxNode[]): SyntaxNode {
  return {
    $typeName: 'cel.expr.Expr',
    id: args[0]?.id ?? 0n,
    exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
  }
}

function constant(value: bigint): SyntaxNode {
  return {
    $typeName: 'cel.expr.Expr',
    id: 0n,
    exprKind: {
      case: 'constExpr',
      value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'int64Value', value } },
    },
  }
}
