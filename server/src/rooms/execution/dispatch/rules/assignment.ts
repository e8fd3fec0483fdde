/** An attempt that a runner has in hand, by the fence of its lease. */
export interface Assignment {
  readonly fence: number
  readonly attemptId: string
  readonly runId: string
  readonly step: string
  readonly task: string
  readonly number: number
}

/** An assignment that a round has made, or that its runner has to be sent again. */
export interface NewAssignment extends Assignment {
  readonly runnerId: string
}
