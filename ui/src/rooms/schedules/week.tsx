import { Button, Text } from '@mantine/core'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../client/index.ts'
import { countOf, Instant, PageLink, useTextNow, useZone } from '../../components/index.ts'
import type { Schedule } from './schedule.ts'
import styles from './week.module.css'
import { daysOf, firingBefore, hourOf, instantsOf, minuteOf } from './week.ts'

/** So many instants of one day are shown; a schedule of each minute would fill the page. */
const SHOWN = 12
/** So many schedules are asked for their instants at first; the others when the person wants them. */
const ASKED = 20
/** The most that the server tells of one schedule. */
const INSTANTS = 200
const WEEK_MS = 7 * 86_400_000

/** What a day without instants says; `isPart`: instants of schedules that fire often are not counted. */
function nothingOf(day: number, isPart: boolean): string {
  if (isPart) return 'Nothing else'
  return day === 0 ? 'Nothing more today' : 'Nothing'
}

interface WeekProps {
  readonly schedules: readonly Schedule[]
  /** There are further schedules, which were not read yet. */
  readonly isPart: boolean
}

/** The instants of the next seven days of the enabled schedules. A page that stays open goes on with the clock. */
export function Week({ schedules, isPart }: WeekProps): ReactNode {
  const from = useTextNow(minuteOf)
  const hour = hourOf(from)
  const [isWhole, setWhole] = useState(false)
  const zone = useZone()
  const end = new Date(Date.parse(from) + WEEK_MS).toISOString()
  const firing = firingBefore(schedules, end)
  const asked = isWhole ? firing : firing.slice(0, ASKED)
  const previews = useQueries({
    queries: asked.map(({ id, identifier, updated_at }) => ({
      queryKey: ['week', id, updated_at, hour],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const body = { schedule: id, from, limit: INSTANTS }
        const { instants } = await call(scheduleRoutes.previewSchedule, { body, signal })
        return { id, identifier, occurrences: instants }
      },
      placeholderData: keepPreviousData,
    })),
  })
  const found = previews.flatMap(({ data }) =>
    data === undefined ? [] : [instantsOf(data, { from, end, most: INSTANTS })],
  )
  const instants = found.flatMap((each) => each.instants)
  const cut = found.flatMap((each) => each.cutAt ?? [])
  return (
    <>
      <ol className={styles['week']}>
        {daysOf(instants, new Date(from), zone).map(({ label, instants: ofDay }, day) => (
          <li key={label}>
            <h3>{label}</h3>
            <ul>
              {ofDay.slice(0, SHOWN).map(({ scheduleId, identifier, at }) => (
                <li key={`${scheduleId} ${at}`}>
                  <Instant at={at} form="time" />{' '}
                  <PageLink to="/schedules/$id" params={{ id: scheduleId }} size="sm">
                    {identifier}
                  </PageLink>
                </li>
              ))}
            </ul>
            {ofDay.length === 0 && <p>{nothingOf(day, cut.length > 0)}</p>}
            {ofDay.length > SHOWN && <p>and {ofDay.length - SHOWN} more</p>}
          </li>
        ))}
      </ol>
      {isPart && (
        <Text size="sm" c="dimmed">
          Only schedules that the list above shows are counted: show more of it for the others.
        </Text>
      )}
      {asked.length < firing.length && (
        <Text component="div" size="sm" c="dimmed">
          The {ASKED} schedules that fire next are shown, of {countOf(firing.length, 'schedule')} that fire in this
          week.{' '}
          <Button variant="default" onClick={() => setWhole(true)}>
            Show all
          </Button>
        </Text>
      )}
      {cut.map(({ scheduleId, identifier, at }) => (
        <Text key={scheduleId} size="sm" c="dimmed">
          {identifier} fires often: its next {INSTANTS} instants are counted, until <Instant at={at} form="full" />.
        </Text>
      ))}
    </>
  )
}
