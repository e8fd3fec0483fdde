import { checkIfMatch, etagOf, laterThan, type RequestOrigin, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import { findScopeFaults, type Runner } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { refuse } from './create-enrollment.ts'
import { about, contentOf, getVisibleRunner, unknownRunner } from './find-runner.ts'

/** An undefined field stays as it is. */
export interface RunnerChange {
  readonly id: string
  readonly name: string | undefined
  readonly scopes: readonly string[] | undefined
  readonly labels: readonly string[] | undefined
  readonly enabled: boolean | undefined
  readonly draining: boolean | undefined
}

/** Counts for the next assignment; attempts in hand go on. Throws 400, 403, 404, version_conflict (409). */
export async function changeRunner(means: Means, origin: RequestOrigin, change: RunnerChange): Promise<Runner> {
  const { id } = change
  const seen = await getVisibleRunner(means, origin.caller, id)
  requirePermission(origin.caller, 'runner.write', seen.teamPath)
  return means.database.transaction(async (tx) => {
    const before = await store.lockRunner(tx, id)
    if (!before) throw unknownRunner(id)
    checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))
    if (change.scopes) refuse(findScopeFaults(change.scopes, before.teamPath))
    const changed = {
      name: change.name ?? before.name,
      scopes: change.scopes ?? before.scopes,
      labels: change.labels ?? before.labels,
      enabled: change.enabled ?? before.enabled,
      draining: change.draining ?? before.draining,
      updatedAt: laterThan(before.updatedAt, means.clock.now()),
    }
    const after: Runner = { ...before, ...changed }
    await store.updateRunner(tx, id, changed)
    const states = { before: contentOf(before), after: contentOf(after) }
    await means.audit.record(tx, { origin, ...about(before), action: 'runner.updated', ...states })
    return after
  })
}
