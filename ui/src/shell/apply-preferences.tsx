import { useMantineColorScheme } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { usePreferences } from '../client/preferences.ts'
import { ZoneProvider } from '../components/index.ts'

/** The page as the person likes it: colours, density and the zone of times. Until that is known, as this browser had it. */
export function ApplyPreferences({ children }: { readonly children: ReactNode }): ReactNode {
  const preferences = usePreferences()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = preferences?.color_scheme
  const density = preferences?.density
  useEffect(() => {
    if (scheme !== undefined) setColorScheme(scheme === 'system' ? 'auto' : scheme)
  }, [scheme, setColorScheme])
  useEffect(() => {
    if (density !== undefined) document.documentElement.dataset['density'] = density
  }, [density])
  return <ZoneProvider value={preferences?.time_zone ?? undefined}>{children}</ZoneProvider>
}
