import type {
  KnowledgeRevisionQuery,
  KnowledgeRevisionSummary,
  KnowledgeRevision as WireRevision,
} from '@signalbox/contracts/knowledge'
import { type Caller, type Page, pageOf, requireVisibleFromBelow, toWire } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { identifierOf, type Revision, type RevisionHead } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { getVisibleItem } from './find-item.ts'

/** Of one item, by its id or identifier; newest first. */
export async function listRevisions(
  means: Means,
  caller: Caller,
  query: KnowledgeRevisionQuery & { readonly item: string },
): Promise<Page<RevisionHead>> {
  const { id: itemId } = await getVisibleItem(means, caller, query.item)
  return pageOf(query, (window) => store.listRevisions(means.database.kysely, { itemId, ...window }))
}

/** By its id, as runs pin it; also when its item is gone. */
export async function getVisibleRevision(means: Means, caller: Caller, id: string): Promise<Revision> {
  const found = await store.findRevision(means.database.kysely, id)
  return requireVisibleFromBelow(caller, 'knowledge.read', found, () =>
    platformProblem('not_found', `There is no revision ${id} of a knowledge item that you may see.`),
  )
}

export function presentRevisionSummary({ judgedAt: at, ...revision }: RevisionHead): KnowledgeRevisionSummary {
  return { ...toWire(revision), identifier: identifierOf(revision), at }
}

export function presentRevision(revision: Revision): WireRevision {
  return { ...presentRevisionSummary(revision), text: revision.text }
}
