// A format of the browser takes longer to make than a hundred texts by it.
const formats = new Map<string, Intl.DateTimeFormat>()

const FORMS = {
  full: {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  },
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  date: { dateStyle: 'medium' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

function formatOf(form: keyof typeof FORMS, zone: string | undefined): Intl.DateTimeFormat {
  const key = `${form} ${zone ?? ''}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', { ...FORMS[form], ...(zone === undefined ? {} : { timeZone: zone }) })
  formats.set(key, made)
  return made
}

/** In the zone that is named; undefined: the browser's. */
export function formatInstant(instant: Date, zone: string | undefined): string {
  return formatOf('full', zone).format(instant)
}

export function formatTime(instant: Date, zone: string | undefined): string {
  return formatOf('time', zone).format(instant)
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const RELATIVE = new Intl.RelativeTimeFormat('en', { style: 'short', numeric: 'auto' })

/** "in 2 hr.", "3 min. ago"; beyond 30 days the date itself, in the zone. */
export function formatRelative(instant: Date, now: Date, zone: string | undefined): string {
  const seconds = Math.round((instant.getTime() - now.getTime()) / 1000)
  if (Math.abs(seconds) > 30 * 86_400) return formatOf('date', zone).format(instant)
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  if (unit === 'second' && Math.abs(seconds) < 10) return seconds > 0 ? 'in a moment' : 'just now'
  return RELATIVE.format(Math.trunc(seconds / size), unit)
}
