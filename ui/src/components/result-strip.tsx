import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lookOf } from '../theme/statuses.ts'
import { formatInstant } from './format-instant.ts'
import { useZone } from './instant.tsx'
import styles from './result-strip.module.css'
import { StatusBadge } from './status-badge.tsx'

interface StripRun {
  readonly run_id: string
  readonly status: string
  readonly queued_at: string
}

/**
 * The last results, the newest at the right. A press on one leads to its run; a reader hears how many ended in which way,
 * and finds the runs in a list.
 */
export function ResultStrip({ runs }: { readonly runs: readonly StripRun[] }): ReactNode {
  const zone = useZone()
  if (runs.length === 0) return null
  return (
    <>
      <VisuallyHidden>{describe(runs)}</VisuallyHidden>
      <span className={styles['strip']} aria-hidden>
        {runs.toReversed().map(({ run_id, status, queued_at }) => (
          <Link
            key={run_id}
            to="/runs/$id"
            params={{ id: run_id }}
            tabIndex={-1}
            preload={false}
            title={`${lookOf(status).label}, ${formatInstant(new Date(queued_at), zone)}`}
          >
            <StatusBadge status={status} isIconOnly />
          </Link>
        ))}
      </span>
    </>
  )
}

function describe(runs: readonly StripRun[]): string {
  const counts = new Map<string, number>()
  for (const { status } of runs) {
    const { label } = lookOf(status)
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return `Last ${runs.length}: ${[...counts].map(([label, count]) => `${count} ${label}`).join(', ')}`
}
