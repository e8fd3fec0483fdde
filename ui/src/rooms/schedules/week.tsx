import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { read } from '../../client/index.ts'
import { Instant, PageLink } from '../../components/index.ts'
import type { Schedule } from './schedule.ts'
import styles from './week.module.css'
import { daysOf } from './week.ts'

/** So many instants of one day are shown; a schedule of each minute would fill the page. */
const SHOWN = 12
/** So many schedules are asked for their instants at once. */
const ASKED = 20
const WEEK_MS = 7 * 86_400_000

/** The instants of the next seven days of the enabled schedules. */
export function Week({ schedules }: { readonly schedules: readonly Schedule[] }): ReactNode {
  const [from] = useState(() => new Date())
  const asked = schedules.filter(({ enabled }) => enabled).slice(0, ASKED)
  const details = useQueries({
    queries: asked.map(({ id }) => read(scheduleRoutes.getSchedule, { params: { id } })),
  })
  const end = new Date(from.getTime() + WEEK_MS).toISOString()
  const instants = details.flatMap(({ data }) =>
    data === undefined
      ? []
      : data.upcoming
          .filter(({ planned_at }) => planned_at < end)
          .map(({ planned_at }) => ({ scheduleId: data.id, identifier: data.identifier, at: planned_at })),
  )
  return (
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
          {ofDay.length === 0 && <p>Nothing</p>}
          {ofDay.length > SHOWN && <p>and {ofDay.length - SHOWN} more</p>}
        </li>
      ))}
    </ol>
  )
}
