import { checkIfMatch, etagOf, type RequestOrigin, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'
import { getVisiblePipeline, unknownPipeline } from './find-pipeline.ts'

/** Nothing starts the pipeline any more and its name is free. Its runs and versions stay; runs in flight go on. */
export async function deletePipeline(means: Means, origin: RequestOrigin, idOrIdentifier: string): Promise<void> {
  const seen = await getVisiblePipeline(means, origin.caller, idOrIdentifier)
  requirePermission(origin.caller, 'pipeline.write', seen.teamPath)
  await means.database.transaction(
    async (tx) => {
      const before = await store.lockPipeline(tx, seen.id)
      if (!before) throw unknownPipeline(idOrIdentifier)
      checkIfMatch(origin.ifMatch, etagOf(before.version))
      await store.markDeleted(tx, before.id, means.clock.now())
      await means.audit.record(tx, {
        origin,
        action: 'pipeline.deleted',
        resource: { kind: 'pipeline', id: before.id },
        teamPath: before.teamPath,
        before: { identifier: before.identifier, version: before.version },
      })
    },
    { afterCommit: means.forget },
  )
}
