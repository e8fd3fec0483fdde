import { principalOf, type RequestOrigin, requirePermission } from '#platform/http'
import { knowledgeProblem } from '../errors.ts'
import { EMERGENCY_DECLARED, emergencyTold } from '../facts.ts'
import type { Means } from '../means.ts'
import { type Emergency, findPatternFault, PLATFORM, teamOfPattern } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { findMissingScope } from './check-item.ts'
import { about, presentEmergency } from './find-emergency.ts'

/**
 * From the commit on, nothing begins in the scopes of the pattern; the fact has the runs there canceled. Throws
 * emergency.invalid (400), forbidden (403).
 */
export async function declareEmergency(
  means: Means,
  origin: RequestOrigin,
  input: { readonly scope: string; readonly reason: string },
): Promise<Emergency> {
  const { scope, reason } = input
  const fault = findPatternFault(scope)
  // Asked in any case, as every authorized route must ask; an unreadable pattern could name a scope of any team.
  requirePermission(origin.caller, 'emergency.declare', fault === undefined ? teamOfPattern(scope) : PLATFORM)
  if (fault !== undefined) throw invalidScope(fault)
  const declaredBy = principalOf(origin.caller)
  const emergency: Emergency = {
    id: means.ids.next(),
    scope,
    teamPath: teamOfPattern(scope),
    reason,
    declaredBy,
    declaredAt: means.clock.now(),
    liftedBy: null,
    liftedAt: null,
    liftReason: null,
  }
  await means.database.transaction(
    async (tx) => {
      if (emergency.teamPath !== PLATFORM) await means.teams.getTeamByPath(tx, emergency.teamPath)
      const missing = await findMissingScope(means, tx, scope)
      if (missing !== undefined) throw invalidScope(missing)
      await store.insertEmergency(tx, emergency)
      const states = { after: presentEmergency(emergency) }
      await means.audit.record(tx, { origin, ...about(emergency), action: 'emergency.declared', ...states })
      const told = emergencyTold(emergency, declaredBy, reason)
      await means.facts.tell(tx, EMERGENCY_DECLARED.kind, EMERGENCY_DECLARED.version, told)
    },
    { afterCommit: means.copy.invalidate },
  )
  return emergency
}

function invalidScope(message: string): Error {
  return knowledgeProblem('emergency.invalid', `scope ${message}.`, { errors: [{ field: 'scope', message }] })
}
