import type { FireQuery } from '@signalbox/contracts/schedules'
import { type Caller, type Page, pageOf } from '#platform/http'
import type { Means } from '../means.ts'
import { type Fire, listFires } from '../store/fires.ts'
import { getSchedule } from './find-schedule.ts'

/** Of a schedule that the caller may see; ids of runs that they may not see are left out. Throws not_found (404). */
export async function listVisibleFires(
  means: Means,
  caller: Caller,
  { schedule, outcome, since, until, ...query }: FireQuery & { readonly schedule: string },
): Promise<Page<Fire>> {
  const { id: scheduleId } = await getSchedule(means, caller, schedule)
  const filter = { scheduleId, outcome, since: instant(since), until: instant(until) }
  const page = await pageOf(query, (window) => listFires(means.database.kysely, { ...filter, ...window }))
  return { items: await withoutHiddenRuns(means, caller, page.items), next: page.next }
}

function instant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}

/** Whoever sees a schedule need not see its runs: they are of the team of its pipeline. */
export async function withoutHiddenRuns(means: Means, caller: Caller, fires: readonly Fire[]): Promise<Fire[]> {
  const ids = fires.flatMap((fire) => fire.runId ?? [])
  const teams = await means.runs.listTeams(means.database.kysely, ids)
  return fires.map((fire) => {
    const teamPath = fire.runId === null ? undefined : teams.get(fire.runId)
    return teamPath !== undefined && caller.can('run.read', teamPath) ? fire : { ...fire, runId: null }
  })
}
