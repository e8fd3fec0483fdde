import { checkIfMatch, etagOf, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { OVERRIDE_DELETED, overrideTold } from '../facts.ts'
import type { OverrideNeeds } from '../index.ts'
import { foldName, fullNameOf } from '../rules/index.ts'
import * as store from '../store.ts'
import { canSee, presentOverride } from './find-override.ts'

/**
 * After it the repository has no override that the caller may see; where it had none, nothing is done and nothing is
 * told. Throws forbidden (403) for one that the caller may see but not write, version_conflict (409).
 */
export async function deleteOverride(
  kit: Kit,
  needs: OverrideNeeds,
  origin: RequestOrigin,
  name: store.RepositoryName,
  ifMatch: string | string[] | undefined,
): Promise<void> {
  const { caller } = origin
  await kit.database.transaction(async (tx) => {
    const before = await store.lockOverride(tx, name)
    const writable = caller.can('override.write', before?.teamPath ?? '/')
    if (!before || (!writable && !canSee(caller, before))) return
    if (!writable) throw platformProblem('forbidden', `You need the permission override.write on ${before.teamPath}.`)
    checkIfMatch(ifMatch, etagOf(before.updatedAt))
    await store.deleteOverride(tx, before.id)
    await needs.audit.record(tx, {
      origin,
      action: 'override.deleted',
      resource: { kind: 'override', id: foldName(fullNameOf(before)) },
      teamPath: before.teamPath,
      before: presentOverride(before, kit.clock.now()),
    })
    await kit.facts.tell(tx, OVERRIDE_DELETED.kind, OVERRIDE_DELETED.version, overrideTold(before))
  })
}
