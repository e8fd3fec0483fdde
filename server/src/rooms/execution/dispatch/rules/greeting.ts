/** What is known of an attempt of a runner that says Hello. */
export interface GreetedAttempt {
  readonly status: string
  /** Its lease was renewed just now. */
  readonly isLeased: boolean
  /** The runner says so. */
  readonly inHand: boolean
  /** The tables, its stored lines or the runner say so. */
  readonly hasBegun: boolean
}

/**
 * What becomes of it: it goes on; it has ended, and only the acknowledgement is owed (`done`); it never reached the runner,
 * and is sent `again`; the runner was restarted, and it is `lost`; or nobody owes anybody anything.
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
  // Where its runner has it no more, only one that never began may be given to it again.
  return hasBegun ? 'lost' : 'again'
}
