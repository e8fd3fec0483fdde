import { checkIfMatch, etagOf, type RequestOrigin, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'
import { about, contentOf, getVisibleRunner, unknownRunner } from './find-runner.ts'

/** The credential of the runner is no longer valid; attempts in hand are lost when their leases end. */
export async function removeRunner(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const seen = await getVisibleRunner(means, origin.caller, id)
  requirePermission(origin.caller, 'runner.write', seen.teamPath)
  await means.database.transaction(async (tx) => {
    const before = await store.lockRunner(tx, id)
    if (!before) throw unknownRunner(id)
    checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))
    await store.markRemoved(tx, id, means.clock.now())
    await means.audit.record(tx, { origin, ...about(before), action: 'runner.removed', before: contentOf(before) })
  })
}
