import { useState } from 'react'
import { type Preferences, useChangePreferences, usePreferences } from '../../client/preferences.ts'

export interface LogOptions {
  readonly wraps: boolean
  readonly showsTime: boolean
  readonly showsNumber: boolean
}

/** How the lines look: as the person prefers it. A change holds here at once, and is kept with the preferences. */
export function useLogOptions(): readonly [LogOptions, (some: Partial<LogOptions>) => void] {
  const preferences = usePreferences()
  const keep = useChangePreferences()
  const [chosen, setChosen] = useState<Partial<LogOptions>>({})
  const { wrap = false, times = false, numbers = true } = preferences?.log ?? {}
  const options = { wraps: wrap, showsTime: times, showsNumber: numbers, ...chosen }
  const change = (some: Partial<LogOptions>): void => {
    setChosen({ ...chosen, ...some })
    // Who has none, or cannot reach them now, has the look here alone.
    if (preferences) keep((before) => withOptions(before, some)).catch(() => undefined)
  }
  return [options, change]
}

function withOptions(before: Preferences, { wraps, showsTime, showsNumber }: Partial<LogOptions>): Preferences {
  const { wrap, times, numbers } = before.log
  return { ...before, log: { wrap: wraps ?? wrap, times: showsTime ?? times, numbers: showsNumber ?? numbers } }
}
