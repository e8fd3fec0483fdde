/** The known facts of an attempt of a runner that says Hello. */
export interface GreetedAttempt {
  readonly status: string
  /** The lease was renewed just now. */
  readonly isLeased: boolean
  /** The runner says so. */
  readonly inHand: boolean
  /** The tables, its stored lines or the runner say so. */
  readonly hasBegun: boolean
}

/**
 * The fate of the attempt. `goes_on`: the runner continues. `done`: it has ended, and the runner still needs the
 * acknowledgement. `again`: it never reached the runner and is sent again. `lost`: the runner was restarted.
 * `nothing`: neither side needs anything.
 */
export function fateOf({
  status,
  isLeased,
  inHand,
  hasBegun,
}: GreetedAttempt): 'goes_on' | 'done' | 'again' | 'lost' | 'nothing' {
  if (status === 'lost') return 'nothing'
  if (inHand && isLeased) return 'goes_on'
  if (inHand && status !== 'leased') return 'done'
  if (!isLeased) return 'nothing'
  // Only an attempt that never began may be given again to a runner that no longer has it.
  return hasBegun ? 'lost' : 'again'
}
