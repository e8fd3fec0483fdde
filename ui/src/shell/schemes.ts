import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { useChangePreferences } from '../client/preferences.ts'
import { useMe } from '../client/session.ts'

export const SCHEMES = [
  { scheme: 'auto', label: 'As the system' },
  { scheme: 'light', label: 'Light' },
  { scheme: 'dark', label: 'Dark' },
] as const

/** Chooses the colours, here and for the person. */
export function useChooseScheme(): (scheme: MantineColorScheme) => void {
  const me = useMe()
  const { setColorScheme } = useMantineColorScheme()
  const change = useChangePreferences()
  return (scheme) => {
    setColorScheme(scheme)
    // Without it, this browser alone keeps the choice.
    const color_scheme = scheme === 'auto' ? 'system' : scheme
    if (me?.kind === 'user') change((before) => ({ ...before, color_scheme })).catch(() => undefined)
  }
}
