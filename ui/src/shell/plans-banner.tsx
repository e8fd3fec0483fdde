import { planRoutes } from '@signalbox/contracts/plans/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useLive } from '../client/index.ts'
import { countOf, ForeignText, PageLink } from '../components/index.ts'
import styles from './banners.module.css'

/** Plans live for minutes: where no stream of changes is to be had, they are asked for this often. */
const AGAIN_MS = 60_000
/** More are counted as so many at least. */
const MOST = 10

/** What agents have planned and this person may approve, on every page while it waits. */
export function PlansBanner(): ReactNode {
  const plans = useQuery({
    ...read(planRoutes.listPlans, { query: { show: 'to_approve', status: 'waiting_for_person', limit: MOST } }),
    refetchInterval: AGAIN_MS,
    retry: false,
  })
  useLive(['plans'], [planRoutes.listPlans])
  const waiting = plans.data?.filter(({ may_approve }) => may_approve) ?? []
  const [first] = waiting
  if (!first) return null
  return (
    <p className={styles['banner']} data-tone="running">
      <strong>
        {waiting.length === MOST ? `${MOST} plans or more` : countOf(waiting.length, 'plan')} for you to decide:
      </strong>
      <ForeignText>{first.target}</ForeignText>
      {waiting.length === 1 ? (
        <PageLink to="/plans/$id" params={{ id: first.id }}>
          Look at it
        </PageLink>
      ) : (
        <PageLink to="/plans">Look at them</PageLink>
      )}
    </p>
  )
}
