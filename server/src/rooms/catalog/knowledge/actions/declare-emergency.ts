import type { Caller, RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { knowledgeProblem } from '../errors.ts'
import { EMERGENCY_DECLARED, emergencyTold } from '../facts.ts'
import type { KnowledgeMeans } from '../index.ts'
import { type Actor, type Emergency, findPatternFault, PLATFORM, teamOfPattern } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { findMissingScope } from './check-item.ts'
import { presentEmergency } from './find-emergency.ts'

/**
 * From its commit nothing begins in the scopes of the pattern, and whoever is told cancels what runs there. Throws
 * emergency.invalid (400), forbidden (403).
 */
export async function declareEmergency(
  kit: Kit,
  means: KnowledgeMeans,
  origin: RequestOrigin,
  input: { readonly scope: string; readonly reason: string },
): Promise<Emergency> {
  const { scope, reason } = input
  const fault = findPatternFault(scope)
  // Asked in any case, so that an Authorized route has asked; a pattern that cannot be read could be of anybody.
  requireDeclarer(origin.caller, fault === undefined ? teamOfPattern(scope) : PLATFORM)
  if (fault !== undefined) throw invalidScope(fault)
  const declaredBy = actorOf(origin.caller)
  const emergency: Emergency = {
    id: kit.ids.next(),
    scope,
    teamPath: teamOfPattern(scope),
    reason,
    declaredBy,
    declaredAt: kit.clock.now(),
    liftedBy: null,
    liftedAt: null,
    liftReason: null,
  }
  await kit.database.transaction(async (tx) => {
    if (emergency.teamPath !== PLATFORM) await means.teams.getTeamByPath(tx, emergency.teamPath)
    const missing = await findMissingScope(tx, means.teams, scope)
    if (missing !== undefined) throw invalidScope(missing)
    await store.insertEmergency(tx, emergency)
    await means.audit.record(tx, {
      origin,
      action: 'emergency.declared',
      resource: { kind: 'emergency', id: emergency.id },
      teamPath: emergency.teamPath,
      after: presentEmergency(emergency),
    })
    const told = emergencyTold(emergency, declaredBy, reason)
    await kit.facts.tell(tx, EMERGENCY_DECLARED.kind, EMERGENCY_DECLARED.version, told)
  })
  means.changed()
  return emergency
}

export function requireDeclarer(caller: Caller, teamPath: string): void {
  if (caller.can('emergency.declare', teamPath)) return
  throw platformProblem('forbidden', `You need emergency.declare on ${teamPath}, under which the pattern lies.`)
}

export function actorOf({ kind, id, name }: Caller): Actor {
  return { kind, id, name }
}

function invalidScope(message: string): Error {
  return knowledgeProblem('emergency.invalid', `scope ${message}.`, { errors: [{ field: 'scope', message }] })
}
