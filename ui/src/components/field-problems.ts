import { ApiProblem, type FieldProblem } from '../client/problem.ts'

/**
 * The server's words on one field of a form; undefined where it has none. What it has against a part of the field, such
 * as `labels.0` or `variables.STAGE`, names the part.
 */
export function fieldError(error: Error | null | undefined, field: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined
  const words = error.errors
    .filter((problem) => isOf(problem, field))
    .map((problem) => (problem.field === field ? problem.message : `${partOf(problem, field)} ${problem.message}`))
  return words.length === 0 ? undefined : words.join('; ')
}

interface ToldBeside {
  readonly sentence: string
  /** What the problem has against fields that the form does not mark. */
  readonly fields: readonly FieldProblem[]
}

/** What is left to say of a problem beside the fields that a form marks itself: each fault is told once. */
export function toldBeside(error: Error, marked: readonly string[]): ToldBeside {
  if (!(error instanceof ApiProblem)) return { sentence: error.message, fields: [] }
  const isMarked = (problem: FieldProblem): boolean => marked.some((field) => isOf(problem, field))
  // The server's sentence often is that of the first field.
  const isSentence = ({ message }: FieldProblem): boolean => error.message.includes(message.replace(/\.$/, ''))
  return {
    sentence: error.errors.some((problem) => isMarked(problem) && isSentence(problem))
      ? 'Nothing is saved. Correct the marked field, then try again.'
      : error.message,
    fields: error.errors.filter((problem) => !isMarked(problem) && !isSentence(problem)),
  }
}

function isOf(problem: FieldProblem, field: string): boolean {
  return problem.field === field || problem.field.startsWith(`${field}.`)
}

/** People count from one. */
function partOf(problem: FieldProblem, field: string): string {
  const part = problem.field.slice(field.length + 1)
  return /^\d+$/.test(part) ? `Number ${Number(part) + 1}` : part
}
