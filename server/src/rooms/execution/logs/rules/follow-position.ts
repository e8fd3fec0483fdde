/**
 * How far a follower has come in the logs of a run, as the id of a server-sent event: `<covered>;<tail>:<next>,...`.
 * Attempts that ended at or before `covered` were sent whole. For each other attempt the id names the next line, by the last
 * twelve digits of the attempt's id. So the id stays short however many tasks a run has had.
 */
export interface FollowPosition {
  /** Milliseconds since 1970; 0: none is covered. */
  readonly covered: number
  /** By the tail of the attempt's id. */
  readonly next: ReadonlyMap<string, number>
}

export const START: FollowPosition = { covered: 0, next: new Map() }

const ID = /^[0-9a-z]{1,11};([0-9a-f]{12}:[0-9]{1,15}(,[0-9a-f]{12}:[0-9]{1,15})*)?$/

export function tailOf(attemptId: string): string {
  return attemptId.slice(-12)
}

/** Clocks of control planes differ by less. */
const DAY_MS = 86_400_000

/**
 * A text that is no position, or covers a time beyond tomorrow, begins at the start: a line twice is better than no line.
 */
export function readPosition(text: string | undefined, nowMs: number): FollowPosition {
  if (text === undefined || !ID.test(text)) return START
  const [head = '0', rest = ''] = text.split(';')
  const covered = Number.parseInt(head, 36)
  if (covered > nowMs + DAY_MS) return START
  const entries = rest.split(',').flatMap((entry): [string, number][] => {
    const [tail, next] = entry.split(':')
    return tail && next ? [[tail, Number(next)]] : []
  })
  return { covered, next: new Map(entries) }
}

export function writePosition({ covered, next }: FollowPosition): string {
  return `${covered.toString(36)};${[...next].map(([tail, line]) => `${tail}:${line}`).join(',')}`
}
