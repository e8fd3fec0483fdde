/** Something that is wrong at a line and a column, both counted from 1. */
export interface PlacedProblem {
  readonly code: string
  readonly line: number
  readonly column: number
  readonly message: string
}

interface Range {
  readonly from: number
  readonly to: number
}

/** What of a line a problem is about: from its column to the end of the word or the quoted text there. */
export function rangeInLine(line: string, column: number): Range {
  const content = line.trimEnd()
  const offset = Math.min(Math.max(column, 1) - 1, content.length)
  const word = /^(?:"[^"]*"?|'[^']*'?|[^\s,{}[\]]+)/.exec(content.slice(offset))?.[0] ?? ''
  if (word !== '') return { from: offset, to: offset + word.length }
  // A place behind the text is that of its last letter.
  const from = offset === content.length ? Math.max(0, offset - 1) : offset
  return { from, to: Math.min(from + 1, line.length) }
}

/** The problems that the browser found and those that the control plane adds, each once, in the order of the text. */
export function joinProblems<P extends PlacedProblem>(here: readonly P[], there: readonly P[]): readonly P[] {
  const keyOf = ({ code, line, column, message }: P): string => `${code} ${line}:${column} ${message}`
  return [...new Map([...here, ...there].map((problem) => [keyOf(problem), problem])).values()].toSorted(
    (a, b) => a.line - b.line || a.column - b.column,
  )
}
