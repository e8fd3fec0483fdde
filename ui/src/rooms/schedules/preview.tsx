import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../client/index.ts'
import { ProblemNotice, Section } from '../../components/index.ts'
import { Occurrences } from './occurrences.tsx'
import { type ScheduleDraft, timingOf } from './schedule.ts'

const REST_MS = 250

interface PreviewProps {
  readonly draft: ScheduleDraft
  /** The stored schedule, whose spread and H are meant. */
  readonly scheduleId?: string
}

/** When the draft fires, in words and as instants, while one types. */
export function Preview({ draft, scheduleId }: PreviewProps): ReactNode {
  const [timing] = useDebouncedValue(JSON.stringify(timingOf(draft)), REST_MS)
  const preview = useQuery({
    queryKey: ['preview', timing, scheduleId ?? null],
    queryFn: ({ signal }) =>
      call(scheduleRoutes.previewSchedule, {
        body: { ...timingOf(draft), limit: 10, ...(scheduleId === undefined ? {} : { schedule: scheduleId }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <Section title="When it fires">
      {preview.error ? (
        <ProblemNotice error={preview.error} />
      ) : (
        <>
          <Text aria-live="polite">{preview.data?.words}</Text>
          {preview.data && !preview.data.spread_known && (
            <Text size="sm" c="dimmed">
              The spread, or H, of a new schedule is known once it is stored.
            </Text>
          )}
          <Occurrences occurrences={preview.data?.instants} />
        </>
      )}
    </Section>
  )
}
