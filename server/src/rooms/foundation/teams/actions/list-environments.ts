import type { TeamQuery } from '@signalbox/contracts/teams'
import { type Caller, type Page, pageOf, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store.ts'
import { getVisibleTeam } from './find-team.ts'

export interface TeamEnvironments extends Page<store.EnvironmentRow> {
  readonly team: store.TeamRow
}

export async function listEnvironments(
  means: Means,
  caller: Caller,
  idOrPath: string,
  query: TeamQuery,
): Promise<TeamEnvironments> {
  const db = means.database.kysely
  const team = await getVisibleTeam(db, caller, idOrPath)
  requirePermission(caller, 'environment.read', team.path)
  return { team, ...(await pageOf(query, (window) => store.listEnvironments(db, team.id, window))) }
}
