import type { Queryable } from '#platform/database'
import { identifierOf, type KnowledgeKind } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** A revision by which a run was judged, as the run shows it. */
export interface PinnedRevision {
  readonly id: string
  readonly itemId: string
  /** `<team path>/<name>`; `/<name>` of the platform. */
  readonly identifier: string
  readonly kind: KnowledgeKind
  readonly revision: number
}

/** In the order given; those that do not exist are left out. */
export async function describeRevisions(db: Queryable, ids: readonly string[]): Promise<readonly PinnedRevision[]> {
  const rows = await store.findRevisions(db, [...new Set(ids)])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    return { id, itemId: row.itemId, identifier: identifierOf(row), kind: row.kind, revision: row.revision }
  })
}
