/** An attempt that the round gave to a runner. */
export interface Given {
  readonly attemptId: string
  readonly fence: number
  readonly runnerId: string
  readonly runId: string
  readonly step: string
  readonly task: string
  readonly number: number
}
