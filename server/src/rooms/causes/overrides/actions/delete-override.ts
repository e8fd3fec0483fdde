import type { Tx } from '#platform/database'
import { checkIfMatch, etagOf, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { OVERRIDE_DELETED, overrideTold } from '../facts.ts'
import type { Means } from '../means.ts'
import { chooseFor, foldName, fullNameOf, type RepositoryName } from '../rules/index.ts'
import * as store from '../store.ts'
import { presentStored, rightsOf, standingsOf } from './find-override.ts'

/**
 * Deletes the override that a GET shows the caller. Throws not_found (404) where the caller sees none, forbidden (403) where
 * the caller may see but not write it, and version_conflict (409).
 */
export async function deleteOverride(means: Means, origin: RequestOrigin, name: RepositoryName): Promise<void> {
  const { caller, ifMatch } = origin
  const sources = (await means.above.listSources())(fullNameOf(name))
  const work = async (tx: Tx): Promise<void> => {
    const rights = rightsOf(caller)
    // Asked also when there is none, so that the answer is the same.
    caller.can('override.write', '/')
    const stored = await store.lockRepository(tx, name)
    const before = chooseFor(rights, standingsOf(stored, sources, means.clock.now()))?.override
    if (!before) throw platformProblem('not_found', `${fullNameOf(name)} has no override that you may see.`)
    requirePermission(caller, 'override.write', before.teamPath)
    checkIfMatch(ifMatch, etagOf(before.updatedAt))
    await store.deleteOverride(tx, before.id)
    await means.audit.record(tx, {
      origin,
      action: 'override.deleted',
      resource: { kind: 'override', id: foldName(fullNameOf(before)) },
      teamPath: before.teamPath,
      before: presentStored(before, means.clock.now()),
    })
    await means.facts.tell(tx, OVERRIDE_DELETED.kind, OVERRIDE_DELETED.version, overrideTold(before))
  }
  await means.database.transaction(work, { afterCommit: means.copy.invalidate })
}
