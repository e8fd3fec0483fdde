import { checkIfMatch, etagOf, type RequestOrigin } from '#platform/http'
import { KNOWLEDGE_DELETED, knowledgeTold } from '../facts.ts'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'
import { getVisibleItem, presentItem, unknownItem } from './find-item.ts'
import { requireWriter } from './save-item.ts'

/** The item applies no longer and its name is free; its revisions stay for the runs that pinned them. */
export async function deleteItem(means: Means, origin: RequestOrigin, idOrIdentifier: string): Promise<void> {
  const seen = await getVisibleItem(means, origin.caller, idOrIdentifier)
  requireWriter(origin.caller, seen)
  await means.database.transaction(
    async (tx) => {
      const before = await store.lockItem(tx, seen.id)
      if (!before) throw unknownItem(idOrIdentifier)
      checkIfMatch(origin.ifMatch, etagOf(before.revision))
      await store.deleteItem(tx, before)
      await means.audit.record(tx, {
        origin,
        action: 'knowledge.deleted',
        resource: { kind: 'knowledge', id: before.id },
        teamPath: before.teamPath,
        before: presentItem(before),
      })
      await means.facts.tell(tx, KNOWLEDGE_DELETED.kind, KNOWLEDGE_DELETED.version, knowledgeTold(before))
    },
    { afterCommit: means.copy.invalidate },
  )
}
