import type { EmergencyQuery, Emergency as WireEmergency } from '@signalbox/contracts/knowledge'
import { type Caller, type Page, pageOf, requireVisibleFromBelow, toWire } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import type { Emergency } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** 404 when it does not exist or the caller may not see it. */
export async function getVisibleEmergency(means: Means, caller: Caller, id: string): Promise<Emergency> {
  const found = await store.findEmergency(means.database.kysely, id)
  return requireVisibleFromBelow(caller, 'knowledge.read', found, () =>
    platformProblem('not_found', `There is no emergency ${id} that you may see.`),
  )
}

/** Newest first; also those of teams above the caller's, because they stop runs of the caller's teams. */
export function listEmergencies(means: Means, caller: Caller, query: EmergencyQuery): Promise<Page<Emergency>> {
  const filter = { prefixes: caller.prefixes('knowledge.read'), active: query.active }
  return pageOf(query, (window) => store.listEmergencies(means.database.kysely, { ...filter, ...window }))
}

/** To wire; also what audit records show before and after. */
export function presentEmergency(emergency: Emergency): WireEmergency {
  return { ...toWire(emergency), active: emergency.liftedAt === null }
}

/** The resource and the team of an audit record. */
export function about({ id, teamPath }: Emergency) {
  return { resource: { kind: 'emergency', id }, teamPath }
}
