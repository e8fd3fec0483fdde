import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../client/index.ts'
import { fieldError, ProblemNotice, Section } from '../../components/index.ts'
import { Occurrences } from './occurrences.tsx'
import { type ScheduleDraft, timingOf } from './schedule.ts'
import { SCHEDULE_FIELDS } from './schedule-fields.tsx'

const REST_MS = 250

type SchedulePreview = ReturnType<typeof useSchedulePreview>

/**
 * Asks when the draft fires, while one types. `scheduleId` is that of the stored schedule, whose spread and H are meant.
 * The form marks what the server has against a field.
 */
export function useSchedulePreview(draft: ScheduleDraft, scheduleId?: string) {
  const [timing] = useDebouncedValue(JSON.stringify(timingOf(draft)), REST_MS)
  const isSet = (draft.kind === 'one_time' ? draft.runAt : draft.cron) !== ''
  const { data, error } = useQuery({
    queryKey: ['preview', timing, scheduleId ?? null],
    queryFn: ({ signal }) =>
      call(scheduleRoutes.previewSchedule, {
        body: { ...timingOf(draft), limit: 10, ...(scheduleId === undefined ? {} : { schedule: scheduleId }) },
        signal,
      }),
    enabled: isSet,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return isSet ? { isSet, data, error } : { isSet, data: undefined, error: null }
}

/** When the draft fires, in words and as instants. */
export function Preview({ preview: { isSet, data, error } }: { readonly preview: SchedulePreview }): ReactNode {
  const isMarked = SCHEDULE_FIELDS.some((field) => fieldError(error, field) !== undefined)
  return (
    <Section title="When it fires">
      {!isSet && <Text c="dimmed">Say when, and the next instants stand here.</Text>}
      {isMarked && <Text c="dimmed">Correct the marked field, and the next instants stand here.</Text>}
      {error && !isMarked && <ProblemNotice error={error} />}
      {isSet && !error && (
        <>
          <Text aria-live="polite">{data?.words}</Text>
          {data && !data.spread_known && (
            <Text size="sm" c="dimmed">
              The spread, or H, of a new schedule is known once it is stored.
            </Text>
          )}
          <Occurrences occurrences={data?.instants} />
        </>
      )}
    </Section>
  )
}
