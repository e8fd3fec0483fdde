import { SegmentedControl } from '@mantine/core'
import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, useLive } from '../../client/index.ts'
import { CopyAs, DataList, EmptyState, PageHeader } from '../../components/index.ts'
import { EVERY_TEAM, teamPathQuery } from '../../shell/index.ts'
import styles from './approvals.module.css'
import { VIEWS } from './approvals-address.ts'
import { DECIDED, WAITING } from './columns.tsx'
import { LastDecided } from './last-decided.tsx'

const page = getRouteApi('/shell/t/$team/approvals')

const STATES = Object.entries(VIEWS).map(([value, label]) => ({ value, label }))

/** What waits for the decision of whoever is signed in, or what was decided. */
export function ApprovalsPage(): ReactNode {
  const { team } = page.useParams()
  const { state } = page.useSearch()
  const navigate = page.useNavigate()
  const requests = useInfiniteQuery(page.useLoaderData())
  useLive(['approvals'], [approvalRoutes.listApprovals])
  return (
    <>
      <PageHeader
        title="Approvals"
        sentence={
          state === 'decided'
            ? 'What was decided on runs that you may see, by whom and why.'
            : 'What waits for you. A decision is bound to the commit that you looked at, and stays on the run.'
        }
        actions={<CopyAs {...copyOf(team, state)} />}
      />
      <SegmentedControl
        className={styles['choice']}
        aria-label="Approvals"
        size="xs"
        data={STATES}
        value={state ?? 'waiting'}
        onChange={(chosen) => void navigate({ search: chosen === 'decided' ? { state: chosen } : {} })}
      />
      <DataList
        // The columns are others.
        key={state ?? 'waiting'}
        label="Approvals"
        columns={state === 'decided' ? DECIDED : WAITING}
        items={requests.data && itemsOf(requests.data)}
        keyOf={({ run_id, step }) => `${run_id} ${step}`}
        {...moreOf(requests)}
        empty={state === 'decided' ? <NothingDecided /> : <NothingWaits team={team} />}
      />
    </>
  )
}

function copyOf(team: string, state: 'decided' | undefined) {
  const query = new URLSearchParams({ ...(state ? { state } : {}), ...teamPathQuery(team) })
  const narrowed = team === EVERY_TEAM ? [] : ['--team', team]
  return {
    path: query.size === 0 ? '/v1/approvals' : `/v1/approvals?${query}`,
    command: ['approval', 'list', ...(state ? ['--decided'] : []), ...narrowed],
  }
}

function NothingDecided(): ReactNode {
  return (
    <EmptyState title="Nothing was decided yet">
      What was approved, rejected, or not decided in time appears here, of all runs that you may see.
    </EmptyState>
  )
}

function NothingWaits({ team }: { readonly team: string }): ReactNode {
  return (
    <>
      <EmptyState title="Nothing waits for you">
        A step of a pipeline asks for approvals; a run of a fork waits for a member. Both appear here by themselves.
      </EmptyState>
      <LastDecided team={team} />
    </>
  )
}
