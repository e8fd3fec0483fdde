import type { ProblemCode } from '@signalbox/pipeline/document'

/** One entry of `errors` or `warnings`; line and column count from 1. */
export interface DocumentFault {
  readonly code:
    | ProblemCode
    | 'unknown_secret'
    | 'unknown_profile'
    | 'unknown_scope'
    | 'unknown_pipeline'
    | 'unknown_input'
    | 'unknown_approver'
  readonly directive: string
  readonly line: number
  readonly column: number
  readonly message: string
}

export function faultAt(
  at: Pick<DocumentFault, 'directive' | 'line' | 'column'>,
  code: DocumentFault['code'],
  message: string,
): DocumentFault {
  return { code, directive: at.directive, line: at.line, column: at.column, message }
}

/** In the order of the text. */
export function inOrder(faults: readonly DocumentFault[]): DocumentFault[] {
  return faults.toSorted((a, b) => a.line - b.line || a.column - b.column)
}
