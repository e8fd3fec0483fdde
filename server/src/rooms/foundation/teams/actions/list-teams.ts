import type { TeamQuery } from '@signalbox/contracts/teams'
import { type Caller, type Page, pageOf } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store.ts'

export function listTeams(means: Means, caller: Caller, query: TeamQuery): Promise<Page<store.TeamRow>> {
  const prefixes = caller.prefixes('team.read')
  return pageOf(query, (window) => store.listTeams(means.database.kysely, prefixes, window))
}
