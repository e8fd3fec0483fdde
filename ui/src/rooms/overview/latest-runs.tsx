import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useLive } from '../../client/index.ts'
import { Duration, ForeignText, Instant, PageLink, Section, StatusBadge } from '../../components/index.ts'
import { teamTopic } from '../../shell/index.ts'
import styles from './overview.module.css'

/** What is asked of the newest runs, in one place: the first steps ask the same. */
export function latestOf(team: string): { readonly teamId: string; readonly limit: number } {
  return { teamId: team, limit: 8 }
}

/** The newest runs, with the reason of each; nothing before the first. */
export function LatestRuns({ team }: { readonly team: string }): ReactNode {
  const runs = useQuery(read(runRoutes.listRuns, { query: latestOf(team) }))
  useLive([teamTopic('runs', team)], [runRoutes.listRuns])
  if (!runs.data || runs.data.length === 0) return null
  return (
    <Section
      title="Latest runs"
      isCard
      actions={
        <PageLink to="/t/$team/runs" params={{ team }}>
          All runs
        </PageLink>
      }
    >
      <ul className={styles['list']}>
        {runs.data.map((run) => (
          <li key={run.run_id}>
            <span className={styles['state']}>
              <StatusBadge status={run.status} />
            </span>
            <PageLink to="/runs/$id" params={{ id: run.run_id }}>
              {run.pipeline}
            </PageLink>
            <span className={styles['reason']}>
              <ForeignText>{run.reason}</ForeignText>
            </span>
            <span className={styles['when']}>
              {run.started_at !== null && <Duration from={run.started_at} to={run.finished_at} />}
              <Instant at={run.queued_at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
