import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Away } from '../client/away.ts'
import { useConnection, useLive } from '../client/index.ts'
import { useMe } from '../client/session.ts'
import { Instant, lazyPart } from '../components/index.ts'
import styles from './banners.module.css'
import { EmergencyBanner } from './emergency-banner.tsx'

const ABSENCES: Readonly<Record<Away, string>> = {
  server: 'The control plane does not answer.',
  database: 'The control plane cannot reach its database.',
  rights: 'The control plane cannot find out who may do what, and so refuses everything.',
}

/** Few ever see it: its code is loaded later, and where it is missing nobody misses it. */
const PlansBanner = lazyPart(async () => (await import('./plans-banner.tsx')).PlansBanner, {
  waiting: null,
  frame: () => null,
})

/** What holds for every page: the control plane is away, a newer build is served. */
export function Banners(): ReactNode {
  const { away, awaySince, isOutdated, isPutOff } = useConnection()
  // Followed from the start: a topic that comes with code loaded later would open the stream anew, and read all again.
  useLive(['plans'], [])
  // Whoever may only read approves nothing.
  const held = Object.values(useMe()?.capabilities.permissions ?? {}).flat()
  return (
    <div aria-live="polite">
      <EmergencyBanner />
      {held.some((permission) => !permission.endsWith('.read')) && <PlansBanner />}
      {away !== undefined && (
        <p className={styles['banner']} data-tone="warning">
          {ABSENCES[away]} You see the last data, as of <Instant at={awaySince?.toISOString()} form="time" />. The page
          goes on by itself.
        </p>
      )}
      {isPutOff && away === undefined && (
        <p className={styles['banner']} data-tone="warning">
          Changes come late: the control plane refuses to stream them for now. The page tries again by itself.
        </p>
      )}
      {isOutdated && (
        <p className={styles['banner']} data-tone="running">
          A newer version of this page is served.{' '}
          <Button variant="default" onClick={() => location.reload()}>
            Load it
          </Button>
        </p>
      )}
    </div>
  )
}
