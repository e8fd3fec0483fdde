import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

/** The zone that the person reads times in; undefined: the browser's. */
const ZoneContext = createContext<string | undefined>(undefined)
export const ZoneProvider = ZoneContext.Provider

interface InstantProps {
  /** RFC 3339, as the API sends it. */
  readonly at: string | null | undefined
  /** `relative`: "3 min ago", with the instant at hand. */
  readonly form?: 'relative' | 'time' | 'full'
}

/** An instant in the person's zone, with its date, its zone and UTC at hand. */
export function Instant({ at, form = 'relative' }: InstantProps): ReactNode {
  const zone = useContext(ZoneContext)
  const now = useNow(form === 'relative')
  if (!at) return <span aria-label="none">–</span>
  const instant = new Date(at)
  const full = formatInstant(instant, zone)
  const text = form === 'relative' ? formatRelative(instant, now) : form === 'full' ? full : formatTime(instant, zone)
  return (
    <time dateTime={at} title={`${full}\n${instant.toISOString()} (UTC)`}>
      {text}
    </time>
  )
}

export function formatInstant(instant: Date, zone: string | undefined): string {
  return instant.toLocaleString('en-GB', {
    ...(zone === undefined ? {} : { timeZone: zone }),
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  })
}

function formatTime(instant: Date, zone: string | undefined): string {
  return instant.toLocaleTimeString('en-GB', zone === undefined ? {} : { timeZone: zone })
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const RELATIVE = new Intl.RelativeTimeFormat('en', { style: 'short', numeric: 'auto' })

/** "in 2 hr.", "3 min. ago"; the date itself beyond 30 days. */
export function formatRelative(instant: Date, now: Date): string {
  const seconds = Math.round((instant.getTime() - now.getTime()) / 1000)
  if (Math.abs(seconds) > 30 * 86_400) return instant.toLocaleDateString('en-GB', { dateStyle: 'medium' })
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  if (unit === 'second' && Math.abs(seconds) < 10) return seconds > 0 ? 'in a moment' : 'just now'
  return RELATIVE.format(Math.trunc(seconds / size), unit)
}

const TICK_MS = 5000
const tickers = new Set<(now: Date) => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The time now, and again every 5 s; one timer serves the whole page. */
export function useNow(isTicking = true): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (!isTicking) return undefined
    tickers.add(setNow)
    timer ??= setInterval(() => {
      const current = new Date()
      for (const each of tickers) each(current)
    }, TICK_MS)
    return () => {
      tickers.delete(setNow)
      if (tickers.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [isTicking])
  return now
}
