import type { Expression } from './expression.ts'

/** The reason why an expression could not be evaluated; for a missing event, with the names to use instead. */
export function explainFailure(message: string, expressions: readonly Expression[], event: unknown): string {
  const looks = expressions.some(({ references }) => references.some(([root]) => root === 'event'))
  if (!looks || (event !== null && event !== undefined)) return message
  return 'no event started this run, so that `event` is null; `run.branch`, `run.ref` and `run.commit` are there in every run'
}
