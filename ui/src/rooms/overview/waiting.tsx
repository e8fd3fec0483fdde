import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useLive } from '../../client/index.ts'
import { Instant, PageLink, Section, StatusBadge } from '../../components/index.ts'
import type { Counts } from './numbers.tsx'
import styles from './overview.module.css'

const SHOWN = 5

interface WaitingProps {
  readonly team: string
  readonly counts: Counts['approvals'] | undefined
}

/** What the person may decide now. */
export function Waiting({ team, counts }: WaitingProps): ReactNode {
  const mine = counts?.mine ?? 0
  const approvals = useQuery({
    ...read(approvalRoutes.listApprovals, { query: { team_path: team, limit: SHOWN } }),
    enabled: mine > 0,
  })
  useLive(['approvals'], [approvalRoutes.listApprovals])
  if (!counts || (mine === 0 && counts.waiting === 0)) return null
  return (
    <Section title="Waits for you" isCard>
      {mine === 0 && (
        <p className={styles['nothing']}>
          Nothing. {counts.waiting} {counts.waiting === 1 ? 'approval waits' : 'approvals wait'} for others.
        </p>
      )}
      <ul className={styles['list']}>
        {mine > 0 &&
          approvals.data?.map((each) => (
            <li key={`${each.run_id} ${each.step}`}>
              <StatusBadge status="paused" />
              <PageLink to="/runs/$id" params={{ id: each.run_id }} search={{ tab: 'approvals' }}>
                {each.pipeline}: {each.step}
              </PageLink>
              <Instant at={each.requested_at} />
            </li>
          ))}
      </ul>
      {mine > SHOWN && (
        <PageLink to="/t/$team/approvals" params={{ team }}>
          And {mine - SHOWN} more
        </PageLink>
      )}
    </Section>
  )
}
