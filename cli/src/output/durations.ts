/** A length of time for a person: 850 ms, 4.2 s, 3 m 05 s, 2 h 10 m. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`
  return `${Math.floor(minutes / (24 * 60))} d`
}

/** The time between two RFC 3339 instants; empty while the first is missing, until `now` while the second is. */
export function between(from: string | null | undefined, to: string | null | undefined, now: number): string {
  if (!from) return ''
  return formatDuration((to ? Date.parse(to) : now) - Date.parse(from))
}

/** How long ago an instant was: `3 m 05 s ago`. */
export function ago(instant: string | null | undefined, now: number): string {
  return instant ? `${formatDuration(Math.max(0, now - Date.parse(instant)))} ago` : ''
}

/** How long until an instant: `in 3 m 05 s`; `over` once it has passed. */
export function until(instant: string, now: number): string {
  const left = Date.parse(instant) - now
  return left > 0 ? `in ${formatDuration(left)}` : 'over'
}
