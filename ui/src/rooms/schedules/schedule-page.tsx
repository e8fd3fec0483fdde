import { Tabs } from '@mantine/core'
import { fireRoutes, scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useLive, useWrite } from '../../client/index.ts'
import { DeleteDialog } from '../../components/delete-dialog.tsx'
import {
  AllowedButton,
  CopyAs,
  EmptyState,
  Instant,
  PageHeader,
  PageLink,
  ProblemNotice,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { Backfills } from './backfills.tsx'
import { EditSchedule } from './edit-schedule.tsx'
import { Explain } from './explain.tsx'
import { Fires } from './fires.tsx'
import { Occurrences } from './occurrences.tsx'
import { documentOf, draftOf, type ScheduleDetail } from './schedule.ts'
import { TABS } from './schedule-address.ts'

const page = getRouteApi('/shell/schedules/$id')
const CHANGES = [scheduleRoutes.getSchedule, scheduleRoutes.listSchedules, fireRoutes.listFires]

/** One schedule: when it fires next, what became of each instant, and its document. */
export function SchedulePage(): ReactNode {
  const schedule = useQuery(page.useLoaderData())
  if (schedule.data === undefined) {
    return <ObjectPending title="Schedule" query={schedule} />
  }
  const { body, etag } = schedule.data
  return <LoadedSchedule key={body.id} schedule={body} etag={etag} />
}

interface LoadedScheduleProps {
  readonly schedule: ScheduleDetail
  readonly etag: string | undefined
}

function LoadedSchedule({ schedule, etag }: LoadedScheduleProps): ReactNode {
  const { tab = 'history', at } = page.useSearch()
  const navigate = page.useNavigate()
  useLive([`schedules:${schedule.path}`], CHANGES)
  return (
    <>
      <PageHeader
        title={schedule.name}
        team={schedule.path}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/schedules" params={{ team: schedule.path }}>
            Schedules of {schedule.path}
          </PageLink>,
        ]}
        badge={<StatusBadge status={schedule.enabled ? 'enabled' : 'disabled'} />}
        sentence={schedule.words}
        facts={[
          schedule.timezone,
          `starts ${schedule.pipeline}`,
          schedule.next_fire_at !== null && (
            <span key="next">
              next <Instant at={schedule.next_fire_at} />
            </span>
          ),
          `on behalf of ${schedule.owner.name}`,
        ].filter((fact) => fact !== false)}
        actions={<Actions schedule={schedule} etag={etag} />}
      />
      <Tabs
        value={tab}
        onChange={(chosen) => {
          const next = TABS.find((name) => name === chosen)
          if (next) void navigate({ search: { tab: next }, replace: true })
        }}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="history">History</Tabs.Tab>
          <Tabs.Tab value="document">Settings</Tabs.Tab>
          <Tabs.Tab value="backfills">Backfills</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="history">
          <Section title="Next instants">
            <Occurrences
              occurrences={schedule.upcoming}
              empty={schedule.enabled ? undefined : <Resting schedule={schedule} />}
            />
          </Section>
          <Explain
            scheduleId={schedule.id}
            at={at}
            onAsk={(asked) => void navigate({ search: { tab: 'history', ...(asked === '' ? {} : { at: asked }) } })}
          />
          <Section title="What became of each instant">
            <Fires scheduleId={schedule.id} />
          </Section>
        </Tabs.Panel>
        <Tabs.Panel value="document">
          {tab === 'document' && <EditSchedule schedule={schedule} etag={etag} />}
        </Tabs.Panel>
        <Tabs.Panel value="backfills">{tab === 'backfills' && <Backfills schedule={schedule} />}</Tabs.Panel>
      </Tabs>
    </>
  )
}

/** Why one that is disabled has no next instants. A one-time schedule disables itself when it fires. */
function Resting({ schedule }: { readonly schedule: ScheduleDetail }): ReactNode {
  if (schedule.schedule_kind === 'one_time' && schedule.last_fire_at !== null) {
    return (
      <EmptyState title="It is over">
        It was over with its instant <Instant at={schedule.last_fire_at} form="full" />.
      </EmptyState>
    )
  }
  return <EmptyState title="It is disabled">Enable it, and its next instants stand here.</EmptyState>
}

function Actions({ schedule, etag }: LoadedScheduleProps): ReactNode {
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const params = { id: schedule.id }
  const run = useWrite(scheduleRoutes.runSchedule, {
    changes: CHANGES,
    onDone: ({ run_id }) => void navigate({ to: '/runs/$id', params: { id: run_id } }),
  })
  const enable = useWrite(scheduleRoutes.enableSchedule, { changes: CHANGES })
  const disable = useWrite(scheduleRoutes.disableSchedule, { changes: CHANGES })
  const remove = useWrite(scheduleRoutes.deleteSchedule, {
    changes: [scheduleRoutes.listSchedules],
    shown: [scheduleRoutes.getSchedule],
    onDone: () => void navigate({ to: '/t/$team/schedules', params: { team: schedule.path } }),
  })
  const right = { permission: 'schedule.write', at: schedule.path, variant: 'default' } as const
  const change = schedule.enabled ? disable : enable
  return (
    <>
      <AllowedButton {...right} variant="filled" loading={run.isPending} onClick={() => run.mutate({ params })}>
        Run it now
      </AllowedButton>
      <AllowedButton {...right} loading={change.isPending} onClick={() => change.mutate({ params, ifMatch: etag })}>
        {schedule.enabled ? 'Disable' : 'Enable'}
      </AllowedButton>
      <AllowedButton {...right} onClick={() => setDeleting(true)}>
        Delete
      </AllowedButton>
      <CopyAs path={`/v1/schedules/${schedule.id}`} command={['schedule', 'show', schedule.identifier]} />
      <ProblemNotice error={run.error ?? change.error} />
      {isDeleting && (
        <DeleteDialog
          title={`Delete ${schedule.identifier}?`}
          loss="It fires no more. Runs that it started stay."
          stored={documentOf(draftOf(schedule))}
          etag={etag}
          write={remove}
          onDelete={(ifMatch) => remove.mutate({ params, ifMatch })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
