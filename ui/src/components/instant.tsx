import { createContext, type ReactNode, useContext } from 'react'
import { formatInstant, formatRelative, formatTime } from './format-instant.ts'
import { useTextNow } from './now.ts'

const ZoneContext = createContext<string | undefined>(undefined)
export const ZoneProvider = ZoneContext.Provider

/** The zone that the person reads times in; undefined: the browser's. */
export function useZone(): string | undefined {
  return useContext(ZoneContext)
}

interface InstantProps {
  /** RFC 3339, as the API sends it. */
  readonly at: string | null | undefined
  /** `relative`: "3 min ago", with the instant at hand. */
  readonly form?: 'relative' | 'time' | 'full'
}

/** An instant in the person's zone, with its date, its zone and UTC at hand. */
export function Instant({ at, form = 'relative' }: InstantProps): ReactNode {
  if (!at) return <span aria-label="none">–</span>
  return <KnownInstant instant={new Date(at)} at={at} form={form} />
}

interface KnownInstantProps {
  readonly instant: Date
  readonly at: string
  readonly form: NonNullable<InstantProps['form']>
}

function KnownInstant({ instant, at, form }: KnownInstantProps): ReactNode {
  const zone = useZone()
  const full = formatInstant(instant, zone)
  const text = useTextNow((now) => {
    if (form === 'relative') return formatRelative(instant, now, zone)
    return form === 'full' ? full : formatTime(instant, zone)
  }, form === 'relative')
  return (
    <time dateTime={at} title={`${full}\n${instant.toISOString()} (UTC)`}>
      {text}
    </time>
  )
}
