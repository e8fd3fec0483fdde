import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useConnection } from '../client/index.ts'
import { Instant } from '../components/index.ts'
import styles from './banners.module.css'
import { EmergencyBanner } from './emergency-banner.tsx'

/** What holds for every page: the control plane is away, a newer build is served. */
export function Banners(): ReactNode {
  const { away, awaySince, isOutdated } = useConnection()
  return (
    <div aria-live="polite">
      <EmergencyBanner />
      {away !== undefined && (
        <p className={styles['banner']} data-tone="warning">
          {away === 'server' ? 'The control plane does not answer.' : 'The control plane cannot reach its database.'}{' '}
          You see the last data, as of <Instant at={awaySince?.toISOString()} form="time" />. The page goes on by
          itself.
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
