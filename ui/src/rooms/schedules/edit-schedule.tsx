import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import type { ReactNode } from 'react'
import { useEdited } from '../../client/index.ts'
import { EditForm } from '../../components/edit-form.tsx'
import { Preview, useSchedulePreview } from './preview.tsx'
import { documentOf, draftOf, type Schedule } from './schedule.ts'
import { SCHEDULE_FIELDS, ScheduleFields } from './schedule-fields.tsx'
import styles from './week.module.css'

interface EditScheduleProps {
  readonly schedule: Schedule
  readonly etag: string | undefined
}

/** The document of a schedule, with its next instants while one types. */
export function EditSchedule({ schedule, etag }: EditScheduleProps): ReactNode {
  const edited = useEdited({
    route: scheduleRoutes.replaceSchedule,
    params: { id: schedule.id },
    changes: [scheduleRoutes.getSchedule, scheduleRoutes.listSchedules],
    stored: schedule,
    etag,
    draftOf,
    documentOf,
  })
  const preview = useSchedulePreview(edited.draft, schedule.id)
  return (
    <>
      <EditForm
        edited={edited}
        marked={SCHEDULE_FIELDS}
        permission="schedule.write"
        at={schedule.path}
        className={styles['form']}
      >
        <ScheduleFields draft={edited.draft} onChange={edited.setDraft} error={edited.error ?? preview.error} />
      </EditForm>
      <Preview preview={preview} />
    </>
  )
}
