import type { ExpressionProblem } from './expression.ts'

/** Line and column (from 1) of an offset in UTF-16 units. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** Says what the parser could not read, with a hint where another system's habit is the likely cause. */
export function syntaxProblem(text: string, error: unknown): ExpressionProblem {
  const offset = offsetOf(error)
  return { message: hint(text, offset), ...positionAt(text, Math.min(offset, text.length)) }
}

function hint(text: string, offset: number): string {
  if (text.trim() === '') return 'the expression is empty: write one, such as run.branch == "main"'
  if (/\$\{\{?|\}\}/.test(text)) {
    return 'write the expression without ${{ }}, such as run.branch == "main"'
  }
  if (/[^=!<>]=[^=]/.test(withoutStrings(text))) return 'write == to compare, = means nothing in an expression'
  const word = /\b(and|or|not)\b/.exec(withoutStrings(text))?.[1]
  if (word !== undefined) {
    return `write ${word === 'and' ? '&&' : word === 'or' ? '||' : '!'} instead of \`${word}\``
  }
  if (offset >= text.length) return 'the expression ends too early: something is missing at its end'
  return `the expression cannot be read from ${JSON.stringify(text.slice(offset, offset + 20))} on; write CEL, such as run.branch == "main" && variables.DEPLOY == "yes"`
}

function withoutStrings(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
}

/** The parser's errors carry `location.start.offset`, without a type. */
function offsetOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('location' in error)) return 0
  const { location } = error
  if (typeof location !== 'object' || location === null || !('start' in location)) return 0
  const { start } = location
  if (typeof start !== 'object' || start === null || !('offset' in start)) return 0
  return typeof start.offset === 'number' ? start.offset : 0
}
