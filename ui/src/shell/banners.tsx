import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Away } from '../client/away.ts'
import { useConnection } from '../client/index.ts'
import { Instant } from '../components/index.ts'
import styles from './banners.module.css'
import { EmergencyBanner } from './emergency-banner.tsx'

const ABSENCES: Readonly<Record<Away, string>> = {
  server: 'The control plane does not answer.',
  database: 'The control plane cannot reach its database.',
  rights: 'The control plane cannot find out who may do what, and so refuses everything.',
}

/** What holds for every page: the control plane is away, a newer build is served. */
export function Banners(): ReactNode {
  const { away, awaySince, isOutdated, isPutOff } = useConnection()
  return (
    <div aria-live="polite">
      <EmergencyBanner />
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
