const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** As a document writes it: `1h 30m`; below a second as `250ms`. */
export function describeDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`
  const parts: string[] = []
  let rest = ms
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.join(' ')
}
