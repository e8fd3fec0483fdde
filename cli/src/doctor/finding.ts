/** One thing that `doctor` looked at. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly name: string
  /** What is the case, in one sentence. */
  readonly message: string
  /** What to do about it. */
  readonly remedy?: string
}
