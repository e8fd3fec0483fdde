/** A pull request as it is told of runs. */
export interface PullRequestPlace {
  readonly sourceId: string
  /** The full name, in any case. */
  readonly repository: string
  readonly number: number
}
