import { principalOf, type RequestOrigin, requirePermission } from '#platform/http'
import { knowledgeProblem } from '../errors.ts'
import { EMERGENCY_LIFTED, emergencyTold } from '../facts.ts'
import type { Means } from '../means.ts'
import type { Emergency } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { about, getVisibleEmergency, presentEmergency } from './find-emergency.ts'

/** Waiting runs may begin; canceled runs stay canceled. Throws forbidden (403), not_found (404), emergency.lifted (409). */
export async function liftEmergency(
  means: Means,
  origin: RequestOrigin,
  input: { readonly id: string; readonly reason: string | null },
): Promise<Emergency> {
  const seen = await getVisibleEmergency(means, origin.caller, input.id)
  requirePermission(origin.caller, 'emergency.declare', seen.teamPath)
  const by = principalOf(origin.caller)
  return means.database.transaction(
    async (tx) => {
      const before = await store.lockEmergency(tx, seen.id)
      if (!before || before.liftedBy !== null) {
        const who = before?.liftedBy?.name ?? 'Somebody'
        throw knowledgeProblem('emergency.lifted', `${who} has lifted this emergency already.`)
      }
      const after = { ...before, liftedBy: by, liftedAt: means.clock.now(), liftReason: input.reason }
      await store.markLifted(tx, after, { by, at: after.liftedAt, reason: input.reason })
      const states = { before: presentEmergency(before), after: presentEmergency(after) }
      await means.audit.record(tx, { origin, ...about(after), action: 'emergency.lifted', ...states })
      const told = emergencyTold(after, by, input.reason)
      await means.facts.tell(tx, EMERGENCY_LIFTED.kind, EMERGENCY_LIFTED.version, told)
      return after
    },
    { afterCommit: means.copy.invalidate },
  )
}
