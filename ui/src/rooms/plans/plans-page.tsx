import { SegmentedControl } from '@mantine/core'
import { planRoutes } from '@signalbox/contracts/plans/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, useLive } from '../../client/index.ts'
import {
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  PageButton,
  PageHeader,
  RowLink,
  StatusBadge,
} from '../../components/index.ts'
import { AGAIN_MS, TOPICS } from './follow.ts'
import { actionWords, lookOfPlan, type Plan } from './plan.ts'
import styles from './plans.module.css'
import { readPlansAddress, VIEWS, type View } from './plans-address.ts'

const page = getRouteApi('/shell/plans')

const CHOICES = Object.entries(VIEWS).map(([value, label]) => ({ value, label }))

/** Writes that agents have planned: those that wait for a person, and one's own. */
export function PlansPage(): ReactNode {
  const { show = 'to_approve' } = page.useSearch()
  const navigate = page.useNavigate()
  const plans = useInfiniteQuery({ ...page.useLoaderData(), refetchInterval: AGAIN_MS })
  useLive(TOPICS, [planRoutes.listPlans])
  return (
    <>
      <PageHeader
        title="Plans"
        sentence="An agent plans each write; what it would do is shown before anything is done. Some plans need a second person."
        actions={<CopyAs path={`/v1/plans?show=${show}`} command={['plan', 'list', ...OPTIONS[show]]} />}
      />
      <SegmentedControl
        className={styles['choice']}
        aria-label="Plans"
        size="xs"
        data={CHOICES}
        value={show}
        onChange={(chosen) => void navigate({ search: readPlansAddress({ show: chosen }) })}
      />
      <DataList
        label="Plans"
        columns={COLUMNS}
        items={plans.data && itemsOf(plans.data)}
        keyOf={({ id }) => id}
        {...moreOf(plans)}
        empty={<Nothing show={show} />}
      />
    </>
  )
}

const OPTIONS: Readonly<Record<View, readonly string[]>> = { to_approve: ['--to-approve'], own: ['--own'], all: [] }

const COLUMNS: readonly Column<Plan>[] = [
  { key: 'status', header: 'Status', isPlain: true, cell: ({ status }) => <StatusBadge status={lookOfPlan(status)} /> },
  {
    key: 'action',
    header: 'Action',
    isPlain: true,
    cell: ({ id, action }) => (
      <RowLink to="/plans/$id" params={{ id }}>
        {actionWords(action)}
      </RowLink>
    ),
  },
  { key: 'target', header: 'Of', cell: ({ target }) => <ForeignText>{target}</ForeignText> },
  { key: 'effect', header: 'What it does', cell: ({ effects }) => <ForeignText>{effects[0]?.sentence}</ForeignText> },
  { key: 'by', header: 'Planned by', cell: ({ planned_by }) => <ForeignText>{planned_by.name}</ForeignText> },
  { key: 'at', header: 'Planned', cell: ({ created_at }) => <Instant at={created_at} /> },
]

function Nothing({ show }: { readonly show: View }): ReactNode {
  switch (show) {
    case 'to_approve':
      return (
        <EmptyState title="Nothing waits for you">
          Plans of others that you may approve appear here by themselves. Nobody approves a plan of their own.
        </EmptyState>
      )
    case 'own':
      return (
        <EmptyState title="You have planned nothing" action={<PageButton to="/mcp">Connect an agent</PageButton>}>
          What you, and agents with your tokens, planned in the last 30 days stands here.
        </EmptyState>
      )
    case 'all':
      return (
        <EmptyState title="No plan yet" action={<PageButton to="/mcp">Connect an agent</PageButton>}>
          An agent plans each write before it does it. Your plans, and those that you may approve, appear here.
        </EmptyState>
      )
    default:
      return show satisfies never
  }
}
