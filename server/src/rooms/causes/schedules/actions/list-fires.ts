import type { FireQuery } from '@signalbox/contracts/schedules'
import { type Caller, type Page, pageOf } from '#platform/http'
import type { Means } from '../means.ts'
import { type Fire, listFires } from '../store/fires.ts'
import type { Schedule } from '../store/schedules.ts'
import { getSchedule } from './find-schedule.ts'
import { tellVisible } from './tell-visible.ts'

/** Of a schedule that the caller may see, without what they may not see of each. Throws not_found (404). */
export async function listVisibleFires(
  means: Means,
  caller: Caller,
  { schedule, outcome, since, until, ...query }: FireQuery & { readonly schedule: string },
): Promise<Page<Fire>> {
  const found = await getSchedule(means, caller, schedule)
  const filter = { scheduleId: found.id, outcome, since: instant(since), until: instant(until) }
  const page = await pageOf(query, (window) => listFires(means.database.kysely, { ...filter, ...window }))
  return { items: await visibleFires(means, caller, found, page.items), next: page.next }
}

function instant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}

/** Without the runs, and the reasons, that the caller may not see. */
export async function visibleFires(
  means: Means,
  caller: Caller,
  schedule: Schedule,
  fires: readonly Fire[],
): Promise<Fire[]> {
  const instants = fires.map((fire) => ({ ...fire, schedule }))
  const told = await tellVisible(means, caller, instants)
  return told.map(({ schedule: _schedule, ...fire }) => fire)
}
