import { Group, Stack, Text } from '@mantine/core'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { AllowedButton, ConflictNotice, isConflict, ProblemNotice } from '../../components/index.ts'
import { Preview } from './preview.tsx'
import { documentOf, draftOf, type Schedule } from './schedule.ts'
import { SCHEDULE_FIELDS, ScheduleFields } from './schedule-fields.tsx'
import styles from './week.module.css'

interface EditScheduleProps {
  readonly schedule: Schedule
  readonly etag: string | undefined
}

/** The document of a schedule, with its next instants while one types. */
export function EditSchedule({ schedule, etag }: EditScheduleProps): ReactNode {
  // As they were when the person began: a newer version is met at save.
  const [base, setBase] = useState({ schedule, etag })
  const [draft, setDraft] = useState(() => draftOf(schedule))
  const document = documentOf(draft, base.schedule)
  const replace = useWrite(scheduleRoutes.replaceSchedule, {
    changes: [scheduleRoutes.getSchedule, scheduleRoutes.listSchedules],
  })
  // Our own save is the new base once it was read again.
  const isSaved = replace.isSuccess && replace.data.updated_at === schedule.updated_at
  if (isSaved && base.etag !== etag) setBase({ schedule, etag })
  const save = (ifMatch: string | undefined): void =>
    replace.mutate({ params: { id: schedule.id }, body: document, ifMatch })
  return (
    <>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          save(base.etag)
        }}
      >
        <Stack gap="md">
          <ScheduleFields draft={draft} onChange={setDraft} error={replace.error} />
          <ConflictNotice
            error={replace.error}
            mine={JSON.stringify(document, null, 2)}
            theirs={JSON.stringify(documentOf(draftOf(schedule), schedule), null, 2)}
            onTakeTheirs={() => {
              setBase({ schedule, etag })
              setDraft(draftOf(schedule))
              replace.reset()
            }}
            onKeepMine={() => save(etag)}
          />
          {!isConflict(replace.error) && <ProblemNotice error={replace.error} marked={SCHEDULE_FIELDS} />}
          <Group gap="sm">
            <AllowedButton type="submit" permission="schedule.write" at={schedule.path} loading={replace.isPending}>
              Save
            </AllowedButton>
            <Text size="sm" component="output">
              {isSaved ? 'Saved.' : ''}
            </Text>
          </Group>
        </Stack>
      </form>
      <Preview draft={draft} scheduleId={schedule.id} />
    </>
  )
}
