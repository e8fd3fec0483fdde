import type { parse } from '@bufbuild/cel'
import type { ExpressionProblem } from './expression.ts'
import { EXPRESSION_LIMITS } from './limits.ts'
import { positionAt } from './syntax-problem.ts'

export type ParsedExpression = ReturnType<typeof parse>
export type SyntaxNode = ParsedExpression['expr']
type Comprehension = Extract<SyntaxNode['exprKind'], { case: 'comprehensionExpr' }>['value']

export interface Inspection {
  readonly problems: readonly ExpressionProblem[]
  readonly references: readonly (readonly string[])[]
  /** Every macro of the expression, for the round limit to be put into. */
  readonly comprehensions: readonly Comprehension[]
}

export interface InspectOptions {
  readonly identifiers: readonly string[]
  readonly knowsFunction: (name: string) => boolean
}

const TYPE_NAMES = 'bool bytes double duration int list map null_type string timestamp type uint'.split(' ')
const OPERATORS: ReadonlySet<string> = new Set(['_&&_', '_||_', '_?_:_', '_[_]', '@not_strictly_false'])

/** Walks the syntax tree once: unknown names, limits, and the paths that are read. */
export function inspect(text: string, parsed: ParsedExpression, options: InspectOptions): Inspection {
  const problems: ExpressionProblem[] = []
  const references: string[][] = []
  const comprehensions: Comprehension[] = []
  let nodes = 0

  const report = (node: SyntaxNode, message: string) => {
    const offset = parsed.sourceInfo?.positions[`${node.id}`] ?? 0
    problems.push({ message, ...positionAt(text, offset) })
  }

  const walkAll = (children: readonly (SyntaxNode | undefined)[], locals: readonly string[], nesting: number) => {
    for (const child of children) if (child !== undefined) walk(child, locals, nesting)
  }

  const walk = (node: SyntaxNode, locals: readonly string[], nesting: number): void => {
    if (++nodes > EXPRESSION_LIMITS.nodes) return
    const path = pathOf(node)
    const root = path?.names[0]
    if (path !== undefined && root !== undefined && !locals.includes(root)) {
      if (options.identifiers.includes(root)) references.push(path.names)
      else if (!(path.names.length === 1 && TYPE_NAMES.includes(root))) {
        report(path.root, `\`${root}\` is unknown here; known are ${quoteList(options.identifiers)}`)
      }
      walkAll(path.computed, locals, nesting)
      return
    }
    const { exprKind } = node
    switch (exprKind.case) {
      case 'selectExpr':
        walkAll([exprKind.value.operand], locals, nesting)
        break
      case 'callExpr':
        if (!OPERATORS.has(exprKind.value.function) && !options.knowsFunction(exprKind.value.function)) {
          report(node, `there is no function \`${exprKind.value.function}\``)
        }
        walkAll([exprKind.value.target, ...exprKind.value.args], locals, nesting)
        break
      case 'listExpr':
        walkAll(exprKind.value.elements, locals, nesting)
        break
      case 'structExpr':
        if (exprKind.value.messageName !== '') report(node, `there is no type \`${exprKind.value.messageName}\``)
        for (const entry of exprKind.value.entries) {
          walkAll([entry.keyKind.case === 'mapKey' ? entry.keyKind.value : undefined, entry.value], locals, nesting)
        }
        break
      case 'comprehensionExpr': {
        const macro = exprKind.value
        comprehensions.push(macro)
        if (nesting === EXPRESSION_LIMITS.macroNesting) {
          report(
            node,
            `exists, all, map and filter may lie at most ${EXPRESSION_LIMITS.macroNesting} deep in each other`,
          )
        }
        walkAll([macro.iterRange, macro.accuInit], locals, nesting)
        const inner = [...locals, macro.iterVar, macro.iterVar2, macro.accuVar]
        walkAll([macro.loopCondition, macro.loopStep, macro.result], inner, nesting + 1)
        break
      }
      default:
        break
    }
  }

  walk(parsed.expr, [], 0)
  if (nodes > EXPRESSION_LIMITS.nodes) {
    report(parsed.expr, `the expression is too large (more than ${EXPRESSION_LIMITS.nodes} parts): split the condition`)
  }
  return { problems, references, comprehensions }
}

/** The path that an expression is, where it is nothing else: `variables.NAME`. `has(variables.NAME)` is true or false. */
export function wholePath(node: SyntaxNode): readonly string[] | undefined {
  if (node.exprKind.case === 'selectExpr' && node.exprKind.value.testOnly) return undefined
  const path = pathOf(node)
  return path?.computed.length === 0 ? path.names : undefined
}

interface Path {
  readonly root: SyntaxNode
  /** From the identifier outwards, up to the first computed index. */
  readonly names: string[]
  /** Expressions inside computed indexes. */
  readonly computed: SyntaxNode[]
}

/** `a.b["c"].d` as names; undefined for what does not start at an identifier. */
function pathOf(node: SyntaxNode): Path | undefined {
  const { exprKind } = node
  if (exprKind.case === 'identExpr')
    return { root: node, names: [exprKind.value.name.replace(/^\./, '')], computed: [] }
  if (exprKind.case === 'selectExpr' && exprKind.value.operand !== undefined) {
    const path = pathOf(exprKind.value.operand)
    if (path !== undefined && path.computed.length === 0) path.names.push(exprKind.value.field)
    return path
  }
  if (exprKind.case === 'callExpr' && exprKind.value.function === '_[_]') {
    const [operand, index] = exprKind.value.args
    const path = operand === undefined ? undefined : pathOf(operand)
    if (path === undefined || index === undefined) return path
    const { exprKind: kind } = index
    const constant = kind.case === 'constExpr' ? kind.value.constantKind : undefined
    if (constant?.case === 'stringValue' && path.computed.length === 0) path.names.push(constant.value)
    else path.computed.push(index)
    return path
  }
  return undefined
}

function quoteList(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names.map((name) => `\`${name}\``))
}
