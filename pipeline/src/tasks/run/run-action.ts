/** A shell script on a runner. */
export interface RunAction {
  readonly kind: 'run'
  readonly script: string
}
