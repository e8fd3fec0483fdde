import type { TeamQuery } from '@signalbox/contracts/teams'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import * as store from '../store.ts'
import { getVisibleTeam } from './find-team.ts'

export type { EnvironmentRow } from '../store.ts'

const DEFAULT_LIMIT = 50

export interface TeamEnvironments extends Page<store.EnvironmentRow> {
  readonly team: store.TeamRow
}

export async function listEnvironments(
  kit: Kit,
  caller: Caller,
  idOrPath: string,
  query: TeamQuery,
): Promise<TeamEnvironments> {
  const db = kit.database.kysely
  const team = await getVisibleTeam(db, caller, idOrPath)
  if (!caller.can('environment.read', team.path)) {
    throw platformProblem('forbidden', `You need the permission environment.read on ${team.path}.`)
  }
  const limit = query.limit ?? DEFAULT_LIMIT
  const filter = { teamId: team.id, before: readCursor(query.cursor), limit: limit + 1 }
  return { team, ...toPage(await store.listEnvironments(db, filter), limit) }
}
