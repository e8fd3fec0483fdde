import type { EmergencyQuery, Emergency as WireEmergency } from '@signalbox/contracts/knowledge'
import type { Queryable } from '#platform/database'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import { type Emergency, PLATFORM, teamsAbove } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { maySee } from './find-item.ts'

const DEFAULT_LIMIT = 50

/** 404 when it does not exist or the caller may not see it. */
export async function getVisibleEmergency(db: Queryable, caller: Caller, id: string): Promise<Emergency> {
  const emergency = await store.findEmergency(db, id)
  // Asked in any case, so that the answer does not tell whether the emergency exists.
  if (maySee(caller, emergency?.teamPath ?? PLATFORM) && emergency) return emergency
  throw platformProblem('not_found', `There is no emergency ${id} that you may see.`)
}

/** Newest first; those that lie above the caller's teams too, for they may stop their runs. */
export async function listEmergencies(kit: Kit, caller: Caller, query: EmergencyQuery): Promise<Page<Emergency>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const prefixes = caller.prefixes('knowledge.read')
  const rows = await store.listEmergencies(kit.database.kysely, {
    prefixes,
    teams: teamsAbove(prefixes),
    active: query.active,
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}

/** To wire; also what audit records show before and after. */
export function presentEmergency(emergency: Emergency): WireEmergency {
  return {
    id: emergency.id,
    scope: emergency.scope,
    team_path: emergency.teamPath,
    reason: emergency.reason,
    active: emergency.liftedAt === null,
    declared_by: { ...emergency.declaredBy },
    declared_at: toWireTime(emergency.declaredAt),
    lifted_by: emergency.liftedBy && { ...emergency.liftedBy },
    lifted_at: toWireTimeOrNull(emergency.liftedAt),
    lift_reason: emergency.liftReason,
  }
}
