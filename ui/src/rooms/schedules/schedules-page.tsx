import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, useLive } from '../../client/index.ts'
import {
  AllowedButton,
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  Instant,
  PageHeader,
  RowLink,
  Section,
  StatusBadge,
  Why,
} from '../../components/index.ts'
import { listCopy } from '../../components/list-copy.ts'
import { teamOrAny, teamTopic } from '../../shell/index.ts'
import type { Schedule } from './schedule.ts'
import { Week } from './week.tsx'

const page = getRouteApi('/shell/t/$team/schedules')

/** What fires next, and what did not. */
export function SchedulesPage(): ReactNode {
  const { team } = page.useParams()
  const navigate = page.useNavigate()
  const schedules = useInfiniteQuery(page.useLoaderData())
  useLive([teamTopic('schedules', team)], [scheduleRoutes.listSchedules])
  const items = schedules.data && itemsOf(schedules.data)
  const create = (
    <AllowedButton
      permission="schedule.write"
      at={teamOrAny(team)}
      onClick={() => void navigate({ to: '/t/$team/schedules/new', params: { team } })}
    >
      Create a schedule
    </AllowedButton>
  )
  return (
    <>
      <PageHeader
        title="Schedules"
        sentence="Each instant fires once, or its record says why it did not."
        actions={
          <>
            {create}
            <CopyAs {...listCopy('/v1/schedules', ['schedule', 'list'], [['team_path', '--team', teamOrAny(team)]])} />
          </>
        }
      />
      <DataList
        label="Schedules"
        columns={COLUMNS}
        items={items}
        keyOf={({ id }) => id}
        {...moreOf(schedules)}
        empty={
          <EmptyState
            title="No schedule yet"
            action={create}
            command="signalbox schedule create acme/nightly --pipeline acme/build --cron '0 3 * * *'"
          >
            A schedule starts a pipeline by the clock of a time zone.
          </EmptyState>
        }
      />
      {items && items.length > 0 && (
        <Section title="The next seven days">
          <Week schedules={items} isPart={schedules.hasNextPage} />
        </Section>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Schedule>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: ({ enabled }) => <StatusBadge status={enabled ? 'enabled' : 'disabled'} />,
  },
  {
    key: 'name',
    header: 'Name',
    isPlain: true,
    cell: ({ id, identifier }) => (
      <RowLink to="/schedules/$id" params={{ id }}>
        {identifier}
      </RowLink>
    ),
  },
  {
    key: 'when',
    header: 'When',
    cell: ({ cron_expression, run_at, timezone }) => `${cron_expression ?? run_at ?? ''} ${timezone}`,
  },
  { key: 'pipeline', header: 'Starts', cell: ({ pipeline }) => pipeline },
  { key: 'next', header: 'Next', cell: ({ next_fire_at }) => <Instant at={next_fire_at} /> },
  { key: 'last', header: 'Last', cell: ({ last_fire_at }) => <Instant at={last_fire_at} /> },
  {
    key: 'outcome',
    header: 'Outcome',
    cell: ({ last_outcome, last_reason, identifier }) =>
      last_outcome !== null && (
        <>
          <StatusBadge status={`fire_${last_outcome}`} />
          <Why of={identifier}>{last_reason}</Why>
        </>
      ),
  },
]
