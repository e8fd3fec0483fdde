import { Text } from '@mantine/core'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../client/index.ts'
import { Instant, PageLink } from '../../components/index.ts'
import type { Schedule } from './schedule.ts'
import styles from './week.module.css'
import { daysOf, instantsOf } from './week.ts'

/** So many instants of one day are shown; a schedule of each minute would fill the page. */
const SHOWN = 12
/** So many schedules are asked for their instants at once. */
const ASKED = 20
/** The most that the server tells of one schedule. */
const INSTANTS = 200
const WEEK_MS = 7 * 86_400_000

/** The instants of the next seven days of the enabled schedules. */
export function Week({ schedules }: { readonly schedules: readonly Schedule[] }): ReactNode {
  const [from] = useState(() => new Date())
  const asked = schedules.filter(({ enabled }) => enabled).slice(0, ASKED)
  const previews = useQueries({
    queries: asked.map(({ id, identifier, updated_at }) => ({
      queryKey: ['week', id, updated_at],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const body = { schedule: id, from: from.toISOString(), limit: INSTANTS }
        const { instants } = await call(scheduleRoutes.previewSchedule, { body, signal })
        return { id, identifier, occurrences: instants }
      },
    })),
  })
  const end = new Date(from.getTime() + WEEK_MS).toISOString()
  const found = previews.flatMap(({ data }) => (data === undefined ? [] : [instantsOf(data, { end, most: INSTANTS })]))
  const instants = found.flatMap((each) => each.instants)
  const cut = found.flatMap((each) => each.cutAt ?? [])
  return (
    <>
      <ol className={styles['week']}>
        {daysOf(instants, from, undefined).map(({ label, instants: ofDay }) => (
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
            {ofDay.length === 0 && <p>{cut.length === 0 ? 'Nothing' : 'Nothing else'}</p>}
            {ofDay.length > SHOWN && <p>and {ofDay.length - SHOWN} more</p>}
          </li>
        ))}
      </ol>
      {cut.map(({ scheduleId, identifier, at }) => (
        <Text key={scheduleId} size="sm" c="dimmed">
          {identifier} fires often: its next {INSTANTS} instants are counted, until <Instant at={at} form="full" />.
        </Text>
      ))}
    </>
  )
}
