/** One thing that `doctor` looked at. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly name: string
  /** The finding in one sentence. */
  readonly message: string
  /** The advice for the operator. */
  readonly remedy?: string
}
