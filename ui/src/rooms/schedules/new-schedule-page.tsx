import { Group, Stack } from '@mantine/core'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { AllowedButton, PageHeader, PageLink, ProblemNotice } from '../../components/index.ts'
import { EVERY_TEAM } from '../../shell/index.ts'
import { Preview, useSchedulePreview } from './preview.tsx'
import { documentOf, emptyDraft } from './schedule.ts'
import { SCHEDULE_FIELDS, ScheduleFields } from './schedule-fields.tsx'
import styles from './week.module.css'

const page = getRouteApi('/shell/t/$team/schedules/new')

/** A schedule that is not there yet, with its next instants while one types. */
export function NewSchedulePage(): ReactNode {
  const { team } = page.useParams()
  const navigate = page.useNavigate()
  const [draft, setDraft] = useState(() => emptyDraft(team === EVERY_TEAM ? '' : team))
  const preview = useSchedulePreview(draft)
  const create = useWrite(scheduleRoutes.createSchedule, {
    changes: [scheduleRoutes.listSchedules],
    onDone: ({ id }) => void navigate({ to: '/schedules/$id', params: { id } }),
  })
  return (
    <>
      <PageHeader
        title="Create a schedule"
        breadcrumb={[
          <PageLink key="list" to="/t/$team/schedules" params={{ team }}>
            Schedules
          </PageLink>,
        ]}
      />
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ body: documentOf(draft) })
        }}
      >
        <Stack gap="md">
          <ScheduleFields draft={draft} onChange={setDraft} error={create.error ?? preview.error} />
          <ProblemNotice error={create.error} marked={SCHEDULE_FIELDS} />
          <Group>
            <AllowedButton
              type="submit"
              permission="schedule.write"
              at={draft.path === '' ? '/' : draft.path}
              loading={create.isPending}
            >
              Create
            </AllowedButton>
          </Group>
        </Stack>
      </form>
      <Preview preview={preview} />
    </>
  )
}
