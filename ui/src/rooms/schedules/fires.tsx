import { fireRoutes } from '@signalbox/contracts/schedules/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages } from '../../client/index.ts'
import {
  type Column,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  PageLink,
  StatusBadge,
} from '../../components/index.ts'
import type { Fire } from './schedule.ts'

/** What became of each instant, newest first: also of those that started nothing. */
export function Fires({ scheduleId }: { readonly scheduleId: string }): ReactNode {
  const fires = useInfiniteQuery(readPages(fireRoutes.listFires, { params: { id: scheduleId } }))
  return (
    <DataList
      label="History"
      columns={COLUMNS}
      items={fires.data && itemsOf(fires.data)}
      keyOf={({ id }) => id}
      {...moreOf(fires)}
      empty={<EmptyState title="It has not fired yet">Each instant leaves a record here, with its reason.</EmptyState>}
    />
  )
}

const COLUMNS: readonly Column<Fire>[] = [
  {
    key: 'outcome',
    header: 'Outcome',
    isPlain: true,
    cell: ({ outcome }) => <StatusBadge status={`fire_${outcome}`} />,
  },
  { key: 'planned', header: 'Planned', cell: ({ planned_at }) => <Instant at={planned_at} form="full" /> },
  { key: 'kind', header: 'Kind', cell: ({ kind }) => kind },
  {
    key: 'why',
    header: 'Why',
    cell: ({ reason, missed_count, missed_until }) => (
      <>
        <ForeignText>{reason}</ForeignText>
        {missed_count > 1 && (
          <>
            {' '}
            It stands for {missed_count} instants, until <Instant at={missed_until} form="full" />.
          </>
        )}
      </>
    ),
  },
  {
    key: 'run',
    header: 'Run',
    cell: ({ run_id }) =>
      run_id !== null && (
        <PageLink to="/runs/$id" params={{ id: run_id }}>
          Open the run
        </PageLink>
      ),
  },
]
