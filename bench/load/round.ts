/** One bounded burst of signed push deliveries over keep-alive connections to a port of this machine. */
export interface Round {
  readonly port: number
  readonly path: string
  readonly secret: string
  readonly connections: number
  /** The round ends after this time, or after `count` deliveries, whichever comes first. */
  readonly durationMs: number
  readonly count?: number
  /**
   * The number of pushes made before the clock starts, each of a commit of its own. Each is sent once, and the round
   * ends with the last. Without it, a few pushes are sent again and again with new delivery ids. A push that has
   * started a run for a commit starts none a second time.
   */
  readonly distinct?: number
  /** A delivery answered with 5xx is sent again until it is taken, with the same id, and counted each time. */
  readonly insist?: true
}

export interface RoundResult {
  readonly answered: number
  readonly statuses: Readonly<Record<string, number>>
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export function isRound(message: unknown): message is Round {
  return typeof message === 'object' && message !== null && 'path' in message && 'durationMs' in message
}

export function isRoundResult(message: unknown): message is RoundResult {
  return typeof message === 'object' && message !== null && 'perSecond' in message
}
