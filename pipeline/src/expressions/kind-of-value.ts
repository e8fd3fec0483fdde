import type { SyntaxNode } from './inspect.ts'

/** Functions of CEL that give something else than true or false, whatever they are given. */
const COUNTING: ReadonlySet<string> = new Set(
  '_+_ _-_ _*_ _/_ _%_ -_ size string int uint double bytes duration timestamp type'.split(' '),
)

/** Whether an expression can give neither true nor false: a text, a number, a list. False where that cannot be told. */
export function isNeverBoolean({ exprKind }: SyntaxNode): boolean {
  switch (exprKind.case) {
    case 'constExpr':
      return exprKind.value.constantKind.case !== 'boolValue'
    case 'listExpr':
    case 'structExpr':
      return true
    case 'callExpr': {
      const { function: name, args } = exprKind.value
      if (name === '_?_:_') return args.slice(1).every(isNeverBoolean)
      return COUNTING.has(name)
    }
    default:
      return false
  }
}
