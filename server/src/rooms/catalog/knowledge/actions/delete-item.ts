import { checkIfMatch, etagOf, type RequestOrigin } from '#platform/http'
import type { Kit } from '#platform/room'
import { KNOWLEDGE_DELETED, knowledgeTold } from '../facts.ts'
import type { KnowledgeMeans } from '../index.ts'
import * as store from '../store/index.ts'
import { getVisibleItem, presentItem, unknownItem } from './find-item.ts'
import { requireWriter } from './save-item.ts'

/** It applies no longer and its name is free; its revisions stay for the runs that pinned them. */
export async function deleteItem(
  kit: Kit,
  means: KnowledgeMeans,
  origin: RequestOrigin,
  input: { readonly idOrIdentifier: string; readonly ifMatch: string | string[] | undefined },
): Promise<void> {
  const seen = await getVisibleItem(kit.database.kysely, origin.caller, input.idOrIdentifier)
  requireWriter(origin.caller, seen)
  await kit.database.transaction(async (tx) => {
    const before = await store.lockItem(tx, seen.id)
    if (!before) throw unknownItem(input.idOrIdentifier)
    checkIfMatch(input.ifMatch, etagOf(before.revision))
    await store.deleteItem(tx, before.id)
    await means.audit.record(tx, {
      origin,
      action: 'knowledge.deleted',
      resource: { kind: 'knowledge', id: before.id },
      teamPath: before.teamPath,
      before: presentItem(before),
    })
    await kit.facts.tell(tx, KNOWLEDGE_DELETED.kind, KNOWLEDGE_DELETED.version, knowledgeTold(before))
  })
  means.changed()
}
