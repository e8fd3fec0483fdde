import type { FireQuery } from '@signalbox/contracts/schedules'
import { type Caller, type Page, pageOf } from '#platform/http'
import type { Means } from '../means.ts'
import { type Fire, listFires } from '../store/fires.ts'
import { getSchedule } from './find-schedule.ts'

/** Of a schedule that the caller may see. Throws not_found (404). */
export async function listVisibleFires(
  means: Means,
  caller: Caller,
  { schedule, outcome, since, until, ...query }: FireQuery & { readonly schedule: string },
): Promise<Page<Fire>> {
  const { id: scheduleId } = await getSchedule(means, caller, schedule)
  const filter = { scheduleId, outcome, since: instant(since), until: instant(until) }
  return pageOf(query, (window) => listFires(means.database.kysely, { ...filter, ...window }))
}

function instant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}
