import { checkIfMatch, etagOf, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import * as store from '../store/index.ts'
import { getVisiblePipeline, unknownPipeline } from './find-pipeline.ts'

/** Nothing starts it any more and its name is free; its runs and versions stay, and runs in flight go on. */
export async function deletePipeline(
  kit: Kit,
  needs: { readonly audit: Audit },
  origin: RequestOrigin,
  input: { readonly idOrIdentifier: string; readonly ifMatch: string | string[] | undefined },
): Promise<void> {
  const seen = await getVisiblePipeline(kit.database.kysely, origin.caller, input.idOrIdentifier)
  if (!origin.caller.can('pipeline.write', seen.teamPath)) {
    throw platformProblem('forbidden', `You need pipeline.write on ${seen.teamPath} to delete this pipeline.`)
  }
  await kit.database.transaction(async (tx) => {
    const before = await store.lockPipeline(tx, seen.id)
    if (!before) throw unknownPipeline(input.idOrIdentifier)
    checkIfMatch(input.ifMatch, etagOf(before.version))
    await store.markDeleted(tx, before.id, kit.clock.now())
    await needs.audit.record(tx, {
      origin,
      action: 'pipeline.deleted',
      resource: { kind: 'pipeline', id: before.id },
      teamPath: before.teamPath,
      before: { identifier: before.identifier, version: before.version },
    })
  })
}
