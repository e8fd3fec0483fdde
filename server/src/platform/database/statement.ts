/**
 * A statement as a value, so that several rooms can give theirs to one transaction. The text is one of a fixed few:
 * each connection prepares it once. Parameters that need no conversion, so that none can fail before it is sent.
 */
export interface Statement<Row = unknown> {
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
  /** Called with the answer after the commit: for counting, not for data that must be stored. */
  answered?(rows: readonly Row[]): void
  /**
   * Makes the statements that follow from the answer. They run in the same transaction, before the next statement of the
   * list. The function is pure: a transaction that is repeated asks it again.
   */
  follow?(rows: readonly Row[]): readonly Statement[]
}
