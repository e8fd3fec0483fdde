import type { ScheduleQuery } from '@signalbox/contracts/schedules'
import { type Caller, type Page, pageOf, requireVisible } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import * as store from '../store/schedules.ts'

/** By id or identifier. Throws not_found (404) where there is none that the caller may see. */
export async function getSchedule(means: Means, caller: Caller, idOrIdentifier: string): Promise<store.Schedule> {
  return requireSchedule(caller, await store.findSchedule(means.database.kysely, idOrIdentifier), idOrIdentifier)
}

/** The schedule that was found, where the caller may see it; else not_found (404). */
export function requireSchedule(caller: Caller, found: store.Schedule | undefined, asked: string): store.Schedule {
  return requireVisible(caller, 'schedule.read', found, () => unknownSchedule(asked))
}

export function unknownSchedule(asked: string): Problem {
  return platformProblem('not_found', `There is no schedule ${asked} that you may see.`)
}

export function listSchedules(means: Means, caller: Caller, query: ScheduleQuery): Promise<Page<store.Schedule>> {
  const filter = {
    prefixes: caller.prefixes('schedule.read'),
    teamPath: query.team_path,
    enabled: query.enabled,
  }
  return pageOf(query, (window) => store.listSchedules(means.database.kysely, { ...filter, ...window }))
}
