import type { RequestOrigin } from '#platform/http'
import type { Kit } from '#platform/room'
import { knowledgeProblem } from '../errors.ts'
import { EMERGENCY_LIFTED, emergencyTold } from '../facts.ts'
import type { KnowledgeMeans } from '../index.ts'
import type { Emergency } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { actorOf, requireDeclarer } from './declare-emergency.ts'
import { getVisibleEmergency, presentEmergency } from './find-emergency.ts'

/** What waited for it may begin; what it canceled stays so. Throws forbidden (403), not_found (404), emergency.lifted (409). */
export async function liftEmergency(
  kit: Kit,
  means: KnowledgeMeans,
  origin: RequestOrigin,
  input: { readonly id: string; readonly reason: string | null },
): Promise<Emergency> {
  const seen = await getVisibleEmergency(kit.database.kysely, origin.caller, input.id)
  requireDeclarer(origin.caller, seen.teamPath)
  const by = actorOf(origin.caller)
  const lifted = await kit.database.transaction(async (tx) => {
    const before = await store.lockEmergency(tx, seen.id)
    if (!before || before.liftedBy !== null) {
      throw knowledgeProblem('emergency.lifted', `${before?.liftedBy?.name ?? 'Somebody'} has lifted it already.`)
    }
    const after = { ...before, liftedBy: by, liftedAt: kit.clock.now(), liftReason: input.reason }
    await store.markLifted(tx, after.id, { by, at: after.liftedAt, reason: input.reason })
    await means.audit.record(tx, {
      origin,
      action: 'emergency.lifted',
      resource: { kind: 'emergency', id: after.id },
      teamPath: after.teamPath,
      before: presentEmergency(before),
      after: presentEmergency(after),
    })
    await kit.facts.tell(tx, EMERGENCY_LIFTED.kind, EMERGENCY_LIFTED.version, emergencyTold(after, by, input.reason))
    return after
  })
  means.changed()
  return lifted
}
