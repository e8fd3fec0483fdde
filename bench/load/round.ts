/** One bounded burst of signed push deliveries over keep-alive connections to a port of this machine. */
export interface Round {
  readonly port: number
  readonly path: string
  readonly secret: string
  readonly connections: number
  /** The round ends after this time, or after `count` deliveries, whichever comes first. */
  readonly durationMs: number
  readonly count?: number
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
