/** The time of a fake forge: the machine's, moved by a test. It runs on. */
export interface ForgeClock {
  /** Milliseconds since 1970. */
  now(): number
  /** The present as RFC 3339 without fractions, as providers write it. */
  text(): string
  /** Moves the clock by so much; negative: back. */
  advance(ms: number): void
}

export function createClock(): ForgeClock {
  let movedMs = 0
  const now = (): number => Date.now() + movedMs
  return { now, text: () => timeText(now()), advance: (ms) => void (movedMs += ms) }
}

export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
