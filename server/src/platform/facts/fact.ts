/** Something that happened, told in the transaction in which it happened. Past tense: `run.finished`. */
export interface Fact {
  readonly id: string
  readonly kind: string
  /** Of the payload's shape; a reader of an old version goes on working. */
  readonly version: number
  readonly payload: unknown
  readonly occurredAt: Date
}
